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

  /// The steps before which the other program migrates the store: before this program looks for the store's model, and before
  /// it begins the migration from that model.
  static let moments = ["another version", "by statements"]

  /// Migrates a store. At a step of that migration, another program migrates it to a second model.
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

  @Test("a store that another program migrated to the same model is opened", arguments: moments)
  func sameModel(moment: String) throws {
    let store = try VersionedStore(Self.old) { $0.make("Note", ["name": "a"]) }
    let context = try Self.open(store, Self.new, meanwhile: Self.new, at: moment)
    #expect(try context.texts("Note") == ["a"])
  }

  @Test("a store that another program migrated to a third model migrates from it", arguments: moments)
  func thirdModel(moment: String) throws {
    let store = try VersionedStore(Self.old) { $0.make("Note", ["name": "a"]) }
    let context = try Self.open(store, Self.newest, meanwhile: Self.new, at: moment)
    #expect(try context.texts("Note") == ["a"])
    try store.close()
    try store.expectFreshSchema(Self.newest)
  }

  @Test(
    "a migration with a given mapping leaves a store that another program migrated to a third model",
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
