import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("How often a migration opens its store")
struct MigrationOpeningTests {
  private static func note(_ properties: String...) -> String {
    let attributes = properties.map { #"<attribute name="\#($0)" attributeType="String" optional="YES"/>"# }
    return "<entity name=\"Note\">\(attributes.joined())</entity>"
  }

  private static let versions = [note("name"), note("name", "text"), note("name", "text", "place")]

  /// Custom stages from each version to the next.
  private func stages(_ models: [NSManagedObjectModel]) -> [NSCustomMigrationStage] {
    let references = models.map {
      NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
    }
    return zip(references, references.dropFirst()).map {
      NSCustomMigrationStage(migratingFrom: $0, to: $1)
    }
  }

  private func open(
    _ store: VersionedStore,
    _ model: NSManagedObjectModel,
    _ stages: [NSMigrationStage]
  ) throws -> NSManagedObjectContext {
    let staged = [NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages)]
    return try store.open(model, options: VersionedStore.automatic.merging(staged) { $1 })
  }

  @Test("once, for the metadata, the model that is kept in it, the statements, and as an open store")
  func lightweight() throws {
    let store = try VersionedStore(Self.versions[0]) { $0.make("Note", ["name": "a"]) }
    let recorder = StatementRecorder(store.folder.url)
    let context = try store.migrate(Self.versions[1])
    #expect(recorder.connectionCount == 1)
    #expect(recorder.steps.contains("the model of the store is the one that is kept in it"))
    context.make("Note", ["name": "b", "text": "t"])
    try context.save()
    #expect(try context.texts("Note") == ["a", "b"])
  }

  @Test("a store that fits its model is opened once")
  func fitting() throws {
    let store = try VersionedStore(Self.versions[0])
    let recorder = StatementRecorder(store.folder.url)
    _ = try store.migrate(Self.versions[0])
    #expect(recorder.connectionCount == 1)
  }

  @Test("a migration through several versions opens its store once")
  func staged() throws {
    let store = try VersionedStore(Self.versions[0]) { $0.make("Note", ["name": "a"]) }
    let models = try Self.versions.map(VersionedStore.model)
    let recorder = StatementRecorder(store.folder.url)
    let context = try open(store, models[2], stages(models))
    #expect(recorder.connectionCount == 1)
    #expect(try context.texts("Note") == ["a"])
    try store.close()
    try store.expectFreshSchema(Self.versions[2])
  }

  @Test("a migration opens its store again after a handler of a stage, which uses it alone")
  func handler() throws {
    let store = try VersionedStore(Self.versions[0]) { $0.make("Note", ["name": "a"]) }
    let models = try Self.versions.map(VersionedStore.model)
    let stages = stages(models)
    let recorder = StatementRecorder(store.folder.url)
    var before = 0
    stages[0].didMigrateHandler = { manager, _ in
      before = recorder.connectionCount
      let context = try #require(manager.container).newBackgroundContext()
      try context.performAndWait {
        for note in try context.all("Note") { note.setValue("text", forKey: "text") }
        try context.save()
      }
    }
    let context = try open(store, models[2], stages)
    // The connections of the first stage and of the container that the handler uses.
    #expect(before == 2)
    #expect(try context.texts("Note", "text") == ["text"])
  }

  @Test("a failed migration releases the store")
  func failing() throws {
    let store = try VersionedStore(Self.versions[0]) { $0.make("Note", ["name": "a"]) }
    let required =
      #"<entity name="Note"><attribute name="name" attributeType="String"/>"#
      + #"<attribute name="text" attributeType="String"/></entity>"#
    #expect(throws: NSError.self) { try store.migrate(required) }
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
    // SQLite removes its log when the last connection is closed.
    #expect(names == ["store.sqlite"])
    #expect(try store.open(VersionedStore.model(Self.versions[0])).texts("Note") == ["a"])
  }
}
