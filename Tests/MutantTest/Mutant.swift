import Foundation

/// A mutated copy of a specimen, and the commands to run on it.
///
/// Its number and the laboratory's seed determine everything about it.
struct Mutant {
  let number: Int
  let specimen: Specimen
  private let laboratory: Laboratory
  private var random: RandomNumbers

  init(number: Int, laboratory: Laboratory) throws {
    self.number = number
    self.laboratory = laboratory
    random = RandomNumbers(seed: laboratory.seed, number: number)
    let specimens = try laboratory.specimens()
    // The kinds alternate, so that each has the same share regardless of its number of specimens.
    let kinds = Specimen.Kind.allCases.filter { kind in specimens.contains { $0.kind == kind } }
    let kind = kinds[number % kinds.count]
    specimen = specimens.filter { $0.kind == kind }.element(&random)!
  }

  /// The folder of the mutated copy.
  var folder: URL { laboratory.folder.appendingPathComponent("mutant-\(number)") }

  func make(in folder: URL) throws {
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.copyItem(at: laboratory.folder(of: specimen), to: folder)
    var random = random
    let target = folder.appendingPathComponent(specimen.target)
    switch specimen.kind {
    case .database, .xml, .binary, .compiledModel, .modelSource, .mapping, .propertyList, .source, .text:
      try FileMutation.change(target, &random)
    case .compressed: try FileMutation.changeCompressed(target, &random)
    case .cells: try StoreMutation(target).changeCells(&random)
    case .modelCache: try StoreMutation(target).changeModelCache(&random)
    case .metadata: try StoreMutation(target).changeMetadata(&random)
    case .archive: try StoreMutation(target).changeArchives(&random)
    case .externalData: try StoreMutation(target).changeExternalFiles(&random)
    }
  }

  var commands: [Command] { Command.all(over: specimen, in: folder, variant: number) }
}
