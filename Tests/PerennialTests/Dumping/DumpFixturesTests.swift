import CoreData
import Foundation
import Seeding
import TestSupport
import Testing

@testable import PerennialCommands

/// Dumps of stores that Apple's framework made.
@Suite(
  "Dumps of Apple-made stores",
  .enabled(if: Program.url != nil && !FixtureStore.all.isEmpty, "the program or the stores are not there")
)
struct DumpFixturesTests {
  @Test("an Apple-made store can be dumped, and loads into an equal one", arguments: FixtureStore.all)
  func roundTrip(fixture: FixtureStore) throws {
    let program = try Program()
    let store = try fixture.copy(to: program.folder)
    let (model, path) = try FixtureStore.model(of: store)
    // For a store whose model is reconstructed from its tables, a dump requires `--partial`.
    let isOfTablesAlone = path == nil && (try? NSManagedObjectModel(cachedIn: store)) == nil
    let options = path.map { ["--model", $0] } ?? []
    let dumped = try program.run(
      ["dump", store.path, "--output", "dump.json"] + options + (isOfTablesAlone ? ["--partial"] : [])
    )
    #expect(dumped.status == 0, "\(dumped.errors)")

    let copy = program.folder.appendingPathComponent("Copy.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let file = program.folder.appendingPathComponent("dump.json")
    let added = try coordinator.addPersistentStore(type: .sqlite, at: copy)
    try Seeder(.file(file)).runAndWait(in: coordinator)
    let loaded = try StoreLines.lines(of: coordinator)
    try coordinator.remove(added)

    let original = try coordinator.addPersistentStore(
      type: .sqlite,
      at: store,
      options: [NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true]
    )
    #expect(try StoreLines.lines(of: coordinator) == loaded)
    try coordinator.remove(original)

    let again = try program.run(["dump", copy.path] + options)
    #expect(try again.output == String(contentsOf: file, encoding: .utf8), "\(again.errors)")
  }
}

/// The same stores in each format that can represent their contents.
@Suite(
  "Formats of dumps of Apple-made stores",
  .enabled(if: !FixtureStore.all.isEmpty, "the stores are not there")
)
struct DumpFormatsOfFixturesTests {
  /// Some formats cannot represent every store, because they lack labels or null values. The other formats must succeed.
  @Test(
    "an Apple-made store loads into an equal one, or is refused with the object that has no representation",
    arguments: Soak.sample(FixtureStore.all.indices).map { FixtureStore.all[$0] }
  )
  func formats(fixture: FixtureStore) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try fixture.copy(to: folder)
    let (model, path) = try FixtureStore.model(of: store)
    let dump = try OpenedStore.reading(StoreLocation(path: store.path), model: path) {
      try StoreDump($0.coordinator).seed()
    }
    #expect(dump.omissions.isEmpty)
    for format in DumpFormat.allCases {
      let outcome = try DumpRoundTrip(model, dump, in: folder).run(format)
      if [.json, .jsonl].contains(format) { #expect(outcome == .equal) }
    }
  }
}

/// A SQLite store in the folder `shared/fixtures` next to the package.
struct FixtureStore: CustomTestStringConvertible, Sendable {
  let url: URL

  var testDescription: String { url.lastPathComponent }

  static let all: [FixtureStore] = SharedFolder.fixtures.compactMap { path in
    let url = SharedFolder.fixture(path)
    guard let file = try? FileHandle(forReadingFrom: url), let head = try? file.read(upToCount: 15) else {
      return nil
    }
    return head == Data("SQLite format 3".utf8) ? FixtureStore(url: url) : nil
  }

  /// Copies the store with its write-ahead log, which may contain most of the data.
  func copy(to folder: URL) throws -> URL {
    let copy = folder.appendingPathComponent(url.lastPathComponent)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
    }
    return copy
  }

  /// The store's model and its file. Without a matching file, the model is the cached one or is derived from the tables.
  static func model(of store: URL) throws -> (NSManagedObjectModel, path: String?) {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store)
    for path in SharedFolder.fixtures where path.hasSuffix(".xcdatamodel") {
      let url = SharedFolder.fixture(path)
      if let model = NSManagedObjectModel(contentsOf: url),
        model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      {
        return (model, url.path)
      }
    }
    if let model = try? NSManagedObjectModel(cachedIn: store) { return (model, nil) }
    return (try NSManagedObjectModel(tablesOf: store), nil)
  }
}
