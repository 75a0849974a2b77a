import ArgumentParser
import Diagrams
import Foundation
import ModelFormats
import Texts

/// `perennial diagram MODEL|STORE [-o FILE]`
struct DiagramCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Draw a model: its entities, attributes, relationships and inheritance.",
    usage: "perennial diagram [<options>] <model>",
    discussion: """
      The picture is an SVG, which any browser shows, in light or dark colours as its reader has them; or a file of \
      Graphviz, to be laid out by its programs. Of a package the current version is taken, of a store the model in it or \
      in its folder. The same model gives the same bytes.
      """
  )

  /// The format of a picture.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case svg, dot
  }

  @Argument(
    help: "An .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store: a file, or postgresql://….",
    completion: .modelAndStoreFiles
  )
  var model: String

  @Option(
    name: .shortAndLong,
    help: "The file to write, .svg or .dot; standard output unless given.",
    completion: .file()
  )
  var output: String?

  @Option(help: "The format, svg or dot; the one that the file's name tells, or else svg.")
  var format: Format?

  @Option(
    name: .customLong("entity"),
    help: "An entity to draw with its neighbours; may be given more than once.",
    completion: .entities
  )
  var entities: [String] = []

  @Option(help: "How many lines away from --entity neighbours may be.") var distance = 1
  @Flag(help: "Draw all attributes, also of entities that have many.") var allAttributes = false

  @Option(help: "The colours: light, dark, or by-system, which is what the reader's system has.")
  var colors = Colors.bySystem

  /// The colors of a picture.
  enum Colors: String, ExpressibleByArgument, CaseIterable {
    case bySystem = "by-system"
    case light, dark

    fileprivate var diagramColors: DiagramColors {
      switch self {
      case .bySystem: .bySystem
      case .light: .light
      case .dark: .dark
      }
    }
  }

  func validate() throws {
    if !(0...1000).contains(distance) { throw ValidationError("--distance takes a number from 0 to 1000.") }
    if let output, let format, let told = Self.format(of: output), told != format {
      throw ValidationError("The name says .\(told.rawValue), and --format \(format.rawValue).")
    }
    if let output, format == nil, Self.format(of: output) == nil {
      throw ValidationError("--output has to end in .svg or .dot, or --format has to say which it is.")
    }
  }

  func run() throws {
    try CommandFailure.reporting {
      let text = try text(of: document())
      guard let output else { return printExactly(text) }
      try OptionFile(path: output, option: "--output", content: "picture").write(text)
    }
  }

  private func text(of document: ModelDocument) throws -> String {
    let diagram = ModelDiagram(document, entities: try chosen(document), neighborDistance: distance)
    var options = ModelDiagram.Options()
    options.title = title
    options.colors = colors.diagramColors
    if allAttributes { options.attributeLimit = nil }
    switch format ?? output.flatMap(Self.format) ?? .svg {
    case .svg: return diagram.svg(options)
    case .dot: return diagram.dot(options)
    }
  }

  private func document() throws -> ModelDocument {
    if ModelFile.isModel(model) { return try ValidModelDocument.read(model) }
    return try CachedModel.documentOrAdjacent(StoreLocation(path: model))
  }

  /// The requested entities, by their exact names.
  private func chosen(_ document: ModelDocument) throws -> Set<String> {
    let names = document.entities.map(\.name)
    for entity in entities where !names.contains(entity) {
      throw CommandFailure(
        file: StoreLocation(path: model).description,
        problem: "the model has no entity \"\(entity.abbreviated)\"",
        remedy: "give one of \(names.sorted().joined(separator: ", ").abbreviated)"
      )
    }
    return Set(entities)
  }

  /// The file's name without its extension, or the name of the store.
  private var title: String {
    let store = StoreLocation(path: model)
    if store.isOnServer { return store.description }
    return URL(fileURLWithPath: model).deletingPathExtension().lastPathComponent
  }

  private static func format(of path: String) -> Format? {
    switch (path as NSString).pathExtension.lowercased() {
    case "svg": .svg
    case "dot", "gv": .dot
    default: nil
    }
  }
}
