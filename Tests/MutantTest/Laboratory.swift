import CoreData
import Deflate
import Foundation
import PerennialCommands

/// The folder of a run, with the collected specimens and the current mutants.
struct Laboratory {
  let folder: URL
  let seed: UInt64

  private var collection: URL { folder.appendingPathComponent("collection") }
  private var list: URL { collection.appendingPathComponent("specimens.json") }

  func folder(of specimen: Specimen) -> URL { collection.appendingPathComponent(specimen.name) }

  func specimens() throws -> [Specimen] {
    try JSONDecoder().decode([Specimen].self, from: Data(contentsOf: list))
  }

  /// Collects specimens of each kind: those that this program makes, and those from a folder of files by Apple's tools.
  func collect(fixtures: URL?) throws {
    try? FileManager.default.removeItem(at: collection)
    try FileManager.default.createDirectory(at: collection, withIntermediateDirectories: true)
    var specimens = try ownStores() + ownModels() + ownSeeds() + sources()
    if let fixtures {
      specimens += try FixtureSpecimens(fixtures: fixtures, collection: collection).collect()
    }
    try JSONEncoder().encode(specimens).write(to: list)
  }

  // MARK: - Own specimens

  /// Makes a folder with the model, its next version, and a store in each format.
  private func make(_ name: String) throws -> URL {
    let folder = collection.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try ZooModel.write(to: folder)
    try run(
      "compile",
      folder.appendingPathComponent("Zoo.xcdatamodeld"),
      "-o",
      folder.appendingPathComponent("Zoo.momd")
    )
    try run(
      "compile",
      folder.appendingPathComponent("Newer.xcdatamodeld"),
      "-o",
      folder.appendingPathComponent("Newer.momd")
    )
    return folder
  }

  private func ownStores() throws -> [Specimen] {
    var specimens: [Specimen] = []
    for kind: Specimen.Kind in [
      .database, .cells, .modelCache, .metadata, .archive, .externalData, .xml, .binary,
    ] {
      let folder = try make("own-\(kind)")
      let store = folder.appendingPathComponent("Zoo.sqlite")
      try ZooStore.make(at: store, model: folder.appendingPathComponent("Zoo.momd"))
      var target = "Zoo.sqlite"
      if kind == .xml || kind == .binary {
        target = kind == .xml ? "Copy.xml" : "Copy.binary"
        try run(
          "copy",
          store,
          folder.appendingPathComponent(target),
          "--model",
          folder.appendingPathComponent("Zoo.momd")
        )
        try FileManager.default.removeItem(at: store)
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(".Zoo_SUPPORT"))
      }
      specimens.append(
        Specimen(
          kind: kind,
          name: folder.lastPathComponent,
          target: target,
          model: "Zoo.momd",
          newerModel: "Newer.momd"
        )
      )
    }
    return specimens
  }

  private func ownModels() throws -> [Specimen] {
    let folder = try make("own-models")
    try ZooStore.make(
      at: folder.appendingPathComponent("Zoo.sqlite"),
      model: folder.appendingPathComponent("Zoo.momd")
    )
    let mom = Specimen(
      kind: .compiledModel,
      name: "own-models",
      target: "Newer.momd/Newer.mom",
      model: "Newer.momd",
      store: "Zoo.sqlite"
    )
    var versions = mom
    var source = mom
    (versions, source) = (
      Specimen(
        kind: .compiledModel,
        name: "own-models",
        target: "Newer.momd/VersionInfo.plist",
        model: "Newer.momd"
      ),
      Specimen(
        kind: .modelSource,
        name: "own-models",
        target: "Newer.xcdatamodeld/Newer.xcdatamodel/contents",
        model: "Newer.xcdatamodeld",
        store: "Zoo.sqlite"
      )
    )
    return [mom, mom, mom, versions, source]
  }

  private func ownSeeds() throws -> [Specimen] {
    let folder = try make("own-seeds")
    let store = folder.appendingPathComponent("Zoo.sqlite")
    let model = folder.appendingPathComponent("Zoo.momd")
    try ZooStore.make(at: store, model: model)
    try run("dump", store, "--model", model, "--partial", "-o", folder.appendingPathComponent("dumped.json"))
    try run("generate-data", model, "--count", "Person=6", "-o", folder.appendingPathComponent("made.jsonl"))
    for (name, text) in SeedTexts.all {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: file)
    }
    let records = [
      "people": [["name": "Ann", "age": 30, "notes": ["a", 1, true]], ["name": "Bob", "born": Date()]]
    ]
    for (name, format) in [
      ("binary.plist", PropertyListSerialization.PropertyListFormat.binary), ("text.plist", .xml),
    ] {
      try PropertyListSerialization.data(fromPropertyList: records, format: format, options: 0)
        .write(to: folder.appendingPathComponent(name))
    }
    let dump = try Data(contentsOf: folder.appendingPathComponent("dumped.json"))
    try Deflate.compressed(dump, wrapping: .gzip).write(to: folder.appendingPathComponent("dumped.json.gz"))
    let kinds: [(Specimen.Kind, String)] =
      [(.propertyList, "binary.plist"), (.propertyList, "text.plist"), (.compressed, "dumped.json.gz")]
      + (["dumped.json", "made.jsonl"] + SeedTexts.all.map(\.name)).map { (.text, $0) }
    return kinds.map { kind, target in
      Specimen(kind: kind, name: "own-seeds", target: target, model: "Zoo.momd", store: "Zoo.sqlite")
    }
  }

  private func sources() throws -> [Specimen] {
    let folder = collection.appendingPathComponent("own-sources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(SeedTexts.swift.utf8).write(to: folder.appendingPathComponent("Person.swift"))
    return [Specimen(kind: .source, name: "own-sources", target: "Person.swift")]
  }

  private func run(_ name: String, _ arguments: Any...) throws {
    let line = [name] + arguments.map { ($0 as? URL)?.path ?? "\($0)" }
    let outcome = Perennial.run(line)
    if outcome.status != 0 {
      throw Failure(description: "\(line.joined(separator: " ")): \(outcome.message)")
    }
  }

  struct Failure: Error, CustomStringConvertible { let description: String }
}
