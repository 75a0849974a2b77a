import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("A store that another program migrates while this one looks at it")
struct MigratedMeanwhileTests {
  private static let old = #"<entity name="Note"><attribute name="name" attributeType="String"/></entity>"#
  private static let new =
    #"<entity name="Note"><attribute name="name" attributeType="String"/>"#
    + #"<attribute name="text" optional="YES" attributeType="String"/></entity>"#
  private static let newest = new.replacingOccurrences(of: "text", with: "body")

  /// The moments at which the other program migrates the store: before this one looks for the model that the store was
  /// made with, and when it has found that and is about to begin.
  static let moments = ["another version", "by statements"]

  /// Migrates a store, and has another program migrate it to a second model at a step of that.
  private static func migrate<Value>(
    _ store: VersionedStore,
    meanwhile other: String,
    at moment: String,
    _ migrate: () throws -> Value
  ) throws -> Value {
    let (file, type) = (store.file, store.type)
    let isFirst = Mutex(true)
    let failure = Mutex<String?>(nil)
    let registration = StoreObservers.add(
      StoreObserver(
        hearsMigrations: true,
        migrating: { step, _ in
          guard step.contains(moment), isFirst.withLock({ $0 }) else { return }
          isFirst.withLock { $0 = false }
          do {
            let coordinator = NSPersistentStoreCoordinator(
              managedObjectModel: try VersionedStore.model(other)
            )
            let migrated = try coordinator.addPersistentStore(
              type: type,
              at: file,
              options: VersionedStore.automatic
            )
            try coordinator.remove(migrated)
          } catch {
            failure.withLock { $0 = "\(error)" }
          }
        }
      ),
      in: store.folder.url.lastPathComponent
    )
    defer { StoreObservers.remove(registration) }
    defer { #expect(isFirst.withLock { !$0 } && failure.withLock { $0 } == nil) }
    return try migrate()
  }

  private static func open(
    _ store: VersionedStore,
    _ model: String,
    meanwhile other: String,
    at moment: String
  ) throws -> NSManagedObjectContext {
    try migrate(store, meanwhile: other, at: moment) {
      try store.open(VersionedStore.model(model), options: VersionedStore.automatic)
    }
  }

  @Test("to the same model is open, with what was in it", arguments: moments)
  func sameModel(moment: String) throws {
    let store = try VersionedStore(Self.old) { $0.make("Note", ["name": "a"]) }
    let context = try Self.open(store, Self.new, meanwhile: Self.new, at: moment)
    #expect(try context.texts("Note") == ["a"])
  }

  @Test("to a third model is migrated from that one", arguments: moments)
  func thirdModel(moment: String) throws {
    let store = try VersionedStore(Self.old) { $0.make("Note", ["name": "a"]) }
    let context = try Self.open(store, Self.newest, meanwhile: Self.new, at: moment)
    #expect(try context.texts("Note") == ["a"])
    try store.close()
    try store.expectFreshSchema(Self.newest)
  }

  @Test(
    "to a third model is as that program left it where a mapping between two models was given",
    arguments: ["by statements", "object by object"]
  )
  func givenMapping(moment: String) throws {
    let store = try VersionedStore(Self.old) { $0.make("Note", ["name": "a"]) }
    let (source, destination) = (try VersionedStore.model(Self.old), try VersionedStore.model(Self.newest))
    var mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: source,
      destinationModel: destination
    )
    if moment == "object by object" {
      let entities = mapping.entityMappings
      mapping = NSMappingModel()
      mapping.entityMappings = entities
    }
    let error = #expect(throws: NSError.self) {
      try Self.migrate(store, meanwhile: Self.new, at: moment) {
        try NSPersistentStoreCoordinator(managedObjectModel: destination).migrateStore(
          at: store.file,
          ofType: NSSQLiteStoreType,
          from: source,
          by: mapping
        )
      }
    }
    #expect(error.map(MigratedMeanwhile.isReason) == true, "\(error as Any)")
    #expect(error?.code == NSMigrationError)
    #expect(error?.localizedDescription.contains(store.name) == true)
    #expect(try store.open(VersionedStore.model(Self.new)).texts("Note") == ["a"])
    try store.close()
    try store.expectFreshSchema(Self.new)
  }
}
