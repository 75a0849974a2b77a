import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("A lightweight migration whose cleanup is deferred")
struct DeferredMigrationTests {
  private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#
  private static let old = """
    <entity name="Note">\(name)<attribute name="rating" attributeType="Integer 16" optional="YES"/></entity>
    <entity name="Tag">\(name)</entity><entity name="Page">\(name)</entity>
    """
  private static let new = "<entity name=\"Note\">\(name)</entity>"
  private static var options: [AnyHashable: Any] {
    VersionedStore.automatic.merging([NSPersistentStoreDeferredLightweightMigrationOptionKey: true]) { $1 }
  }

  private func isMarked(_ store: VersionedStore) throws -> Bool {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store.file)
    return metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool ?? false
  }

  private func migrated() throws -> (VersionedStore, NSManagedObjectContext) {
    let store = try VersionedStore(Self.old) {
      $0.make("Note", ["name": "a", "rating": 1])
      $0.make("Tag", ["name": "t"])
    }
    let context = try store.open(VersionedStore.model(Self.new), options: Self.options)
    return (store, context)
  }

  @Test("a deferred cleanup keeps columns and tables, is noted in the metadata, and the store works")
  func deferred() throws {
    let (store, context) = try migrated()
    #expect(try context.texts("Note") == ["a"])
    context.make("Note", ["name": "b"])
    try context.save()
    #expect(try context.texts("Note") == ["a", "b"])
    #expect(try isMarked(store))
    let columns: [String] = try store.query("SELECT name FROM pragma_table_info('ZNOTE')")
    #expect(columns.contains("ZRATING"))
  }

  @Test("a deferred cleanup is finished at once on request")
  func finished() throws {
    let (store, context) = try migrated()
    let coordinator = try #require(context.persistentStoreCoordinator)
    try coordinator.finishDeferredLightweightMigration()
    #expect(try context.texts("Note") == ["a"])
    let open = try #require(coordinator.persistentStores.first)
    #expect(open.metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] == nil)
    context.make("Note", ["name": "b"])
    try context.save()
    try store.close()
    #expect(try !isMarked(store))
    try store.expectFreshSchema(Self.new)
  }

  @Test("a deferred cleanup is finished piece by piece on request")
  func pieces() throws {
    let (store, context) = try migrated()
    let coordinator = try #require(context.persistentStoreCoordinator)
    var pieces = 0
    while try isMarked(store), pieces < 10 {
      try coordinator.finishDeferredLightweightMigrationTask()
      pieces += 1
    }
    // The pieces are two removed tables and one table with a removed column.
    #expect(pieces == 3)
    try store.close()
    try store.expectFreshSchema(Self.new)
  }

  @Test("a deferred cleanup is finished before the next migration")
  func next() throws {
    let (store, _) = try migrated()
    let context = try store.migrate(Self.old)
    #expect(try context.all("Note").map { $0.value(forKey: "rating") as? Int } == [nil])
    #expect(try context.texts("Tag") == [])
    try store.close()
    try store.expectFreshSchema(Self.old)
  }

  @Test("a deferred cleanup is not finished by a program with an earlier model version")
  func former() throws {
    let (store, context) = try migrated()
    let later =
      #"<entity name="Note"><attribute name="extra" attributeType="String" optional="YES"/></entity>"#
    let newer = NSPersistentStoreCoordinator(managedObjectModel: try VersionedStore.model(later))
    let added = try newer.addPersistentStore(type: .sqlite, at: store.file, options: Self.options)
    let newerContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    newerContext.persistentStoreCoordinator = newer
    newerContext.make("Note", ["extra": "e"])
    try newerContext.save()
    try newer.remove(added)
    #expect(try isMarked(store))
    let former = try #require(context.persistentStoreCoordinator)
    let error = #expect(throws: NSError.self) { try former.finishDeferredLightweightMigration() }
    #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
    let extras: [String] = try store.query("SELECT ZEXTRA FROM ZNOTE WHERE ZEXTRA NOT NULL")
    #expect(extras == ["e"])
  }
}
