import Foundation
import SQLiteDriver

/// Makes specimens from the stores and models in a folder.
struct FixtureSpecimens {
  let fixtures: URL
  let collection: URL
  private let manager = FileManager.default

  init(fixtures: URL, collection: URL) {
    self.fixtures = fixtures
    self.collection = collection
  }

  func collect() throws -> [Specimen] {
    var specimens: [Specimen] = []
    let files = (manager.enumerator(atPath: fixtures.path)?.allObjects as? [String] ?? []).sorted()
    for (number, file) in files.enumerated() {
      let url = fixtures.appendingPathComponent(file)
      let name = "fixture-\(number)"
      switch url.pathExtension {
      case "sqlite":
        // Some databases among the fixtures are not stores.
        if let entity = try? anyEntity(in: url) { specimens += try stores(url, name, entity) }
      case "momd": specimens += try models(url, name)
      case "cdm": specimens += try mappings(url, name)
      default: break
      }
    }
    return specimens
  }

  private func stores(_ url: URL, _ name: String, _ entity: String) throws -> [Specimen] {
    let folder = try makeFolder(name)
    for suffix in ["", "-wal"] where manager.fileExists(atPath: url.path + suffix) {
      try copy(
        URL(fileURLWithPath: url.path + suffix),
        to: folder.appendingPathComponent(url.lastPathComponent + suffix)
      )
    }
    return [Specimen.Kind.database, .cells, .modelCache, .metadata].map {
      Specimen(kind: $0, name: name, target: url.lastPathComponent, entity: entity)
    }
  }

  private func models(_ url: URL, _ name: String) throws -> [Specimen] {
    guard let all = try? manager.contentsOfDirectory(atPath: url.path) else { return [] }
    let folder = try makeFolder(name)
    let place = folder.appendingPathComponent(url.lastPathComponent)
    try manager.createDirectory(at: place, withIntermediateDirectories: false)
    for file in all { try copy(url.appendingPathComponent(file), to: place.appendingPathComponent(file)) }
    return all.filter { $0.hasSuffix(".mom") }.sorted().map {
      Specimen(
        kind: .compiledModel,
        name: name,
        target: "\(url.lastPathComponent)/\($0)",
        model: url.lastPathComponent
      )
    }
  }

  /// Pairs a mapping model with each store in its folder and each model version there.
  private func mappings(_ url: URL, _ name: String) throws -> [Specimen] {
    let place = url.deletingLastPathComponent()
    let beside = try manager.contentsOfDirectory(atPath: place.path).sorted()
    let folder = try makeFolder(name)
    try copy(url, to: folder.appendingPathComponent(url.lastPathComponent))
    var specimens: [Specimen] = []
    for store in beside where store.hasSuffix(".sqlite") {
      try copy(place.appendingPathComponent(store), to: folder.appendingPathComponent(store))
      for package in beside where package.hasSuffix(".momd") {
        let versions = try manager.contentsOfDirectory(atPath: place.appendingPathComponent(package).path)
          .sorted()
        for version in versions where version.hasSuffix(".mom") {
          let model = folder.appendingPathComponent(version)
          try copy(place.appendingPathComponent("\(package)/\(version)"), to: model)
          var specimen = Specimen(kind: .mapping, name: name, target: url.lastPathComponent)
          (specimen.store, specimen.newerModel) = (store, version)
          specimens.append(specimen)
        }
      }
    }
    return specimens
  }

  /// Makes a writable copy. The fixture itself may be read-only.
  private func copy(_ file: URL, to other: URL) throws {
    try Data(contentsOf: file).write(to: other)
  }

  private func makeFolder(_ name: String) throws -> URL {
    let folder = collection.appendingPathComponent(name)
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func anyEntity(in url: URL) throws -> String? {
    let copy = manager.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try self.copy(url, to: copy)
    defer { try? manager.removeItem(at: copy) }
    let queue = try SQLiteConnection(path: copy.path)
    defer { try? queue.close() }
    return try queue.read { try String.fetchOne($0, sql: "SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT") }
  }
}
