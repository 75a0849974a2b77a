import CoreData
import Foundation
import Testing

@testable import CoreData

#if PostgreSQL
  @testable import CoreDataPostgreSQL
#endif

/// The interaction with SQLite's locks has a suite of its own.
@Suite("A migration in place by a mapping model of an application's own", .serialized)
struct MappingInPlaceTests {
  private static func note(_ attributes: String = "") -> String {
    #"<entity name="Note"><attribute name="name" attributeType="String" optional="YES"/>\#(attributes)</entity>"#
  }

  private let old = note()

  private func filled(_ kind: StoreKind) throws -> VersionedStore {
    let store = try VersionedStore(old, on: kind) { context in
      for name in ["a", "b", "c"] { context.make("Note", ["name": name]) }
    }
    try store.close()
    return store
  }

  private func migrate(_ store: VersionedStore, to new: String) throws {
    let (source, destination) = try (VersionedStore.model(old), VersionedStore.model(new))
    let mapping = NSMappingModel()
    mapping.entityMappings =
      try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
      .entityMappings
    for entity in mapping.entityMappings ?? [] { entity.mappingType = .customEntityMappingType }
    try NSPersistentStoreCoordinator(managedObjectModel: destination)
      .migrateStore(at: store.file, ofType: store.type.rawValue, from: source, by: mapping)
  }

  /// The files next to a store that a rebuild has left.
  private func leftovers(_ store: VersionedStore) throws -> [String] {
    #if PostgreSQL
      if store.kind.isPostgreSQL {
        return try PostgreSQLTables(store.file).texts(
          "SELECT nspname::text FROM pg_namespace WHERE starts_with(nspname, 'perennial_migration_')"
        )
      }
    #endif
    return try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
      .filter { $0.hasPrefix(".") && !$0.hasSuffix("_SUPPORT") }
  }

  @Test(
    "a migration in place replaces the store, and programs that have it open are notified",
    arguments: StoreKind.migrating
  )
  func inPlace(_ kind: StoreKind) throws {
    let store = try filled(kind)
    let late = NSPersistentStoreCoordinator(managedObjectModel: try VersionedStore.model(old))
    try late.addPersistentStore(type: store.type, at: store.file)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = late
    let new = Self.note(#"<attribute name="rank" attributeType="Integer 16" defaultValueString="5"/>"#)
    try migrate(store, to: new)
    context.make("Note", ["name": "lost"])
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
    try late.remove(late.persistentStores[0])
    let migrated = try store.open(VersionedStore.model(new))
    let notes = try migrated.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
    #expect(Set(notes.map { $0.value(forKey: "name") as? String }) == ["a", "b", "c"])
    #expect(notes.allSatisfy { $0.value(forKey: "rank") as? Int == 5 })
    migrated.make("Note", ["name": "d"])
    try migrated.save()
    #expect(try migrated.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 4)
    #expect(try leftovers(store).isEmpty)
  }

  @Test("a failed migration in place leaves the store unchanged", arguments: StoreKind.migrating)
  func failing(_ kind: StoreKind) throws {
    let store = try filled(kind)
    let before = try store.dump()
    let new = Self.note(#"<attribute name="rank" attributeType="Integer 16"/>"#)
    let error = #expect(throws: NSError.self) { try migrate(store, to: new) }
    #expect(error?.localizedDescription.contains("rank") == true, "\(error as Any)")
    #expect(try store.dump() == before)
    #expect(try leftovers(store).isEmpty)
    let context = try store.open(VersionedStore.model(old))
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 3)
  }

  #if PostgreSQL
    @Test(
      "a migration in place starts again in another schema if the server ends it",
      .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
    )
    func endedByServer() throws {
      let store = try filled(.postgreSQL)
      var places: [URL] = []
      try PostgreSQLStore.rebuild(at: store.file, options: nil) { place in
        places.append(place)
        if places.count == 1 {
          try PostgreSQLTables(store.file).run("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$")
        }
        return false
      }
      #expect(places.count == 2 && places[0] != places[1])
      #expect(try leftovers(store).isEmpty)
    }
  #endif

  @Test("a migration that another program has done does nothing", arguments: StoreKind.migrating)
  func again(_ kind: StoreKind) throws {
    let store = try filled(kind)
    let new = Self.note(#"<attribute name="rank" attributeType="Integer 16" defaultValueString="5"/>"#)
    try migrate(store, to: new)
    let before = try store.dump()
    try migrate(store, to: new)
    #expect(try store.dump() == before)
  }
}
