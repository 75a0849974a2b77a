import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

/// Tries to write the store from another connection, as another process does, while the migration runs.
final class IntrudingPolicy: NSEntityMigrationPolicy {
  /// The outcomes of the writes, by the name of the store's objects, because tests run at the same time.
  nonisolated(unsafe) static var outcomes: [String: [ResultCode]] = [:]
  nonisolated(unsafe) static var stores: [String: URL] = [:]
  static let lock = NSLock()

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let name = sInstance.text() ?? ""
    let store = Self.lock.withLock { Self.stores[name] }
    if let store {
      let queue = try SQLiteConnection(path: store.path)
      let outcome: ResultCode
      do {
        try queue.write { try $0.execute(sql: "UPDATE ZNOTE SET ZNAME = ZNAME || '!'") }
        outcome = .SQLITE_OK
      } catch let error as DatabaseError {
        outcome = error.resultCode
      }
      try queue.close()
      Self.lock.withLock { Self.outcomes[name, default: []].append(outcome) }
    }
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  }
}

@Suite("A migration while others use the store")
struct ConcurrentMigrationTests {
  private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#
  private static let old = "<entity name=\"Note\">\(name)</entity>"
  private static let new = """
    <entity name="Note">\(name)<attribute name="rank" attributeType="Integer 16" defaultValueString="5"/></entity>
    """

  private let store: VersionedStore
  private let source: NSManagedObjectModel
  private let destination: NSManagedObjectModel
  private let title = UUID().uuidString

  init() throws {
    let title = title
    store = try VersionedStore(Self.old) { $0.make("Note", ["name": title]) }
    source = try VersionedStore.model(Self.old)
    destination = try VersionedStore.model(Self.new)
  }

  /// A mapping that is not inferred, and is applied object by object.
  private func mapping(_ policy: String? = nil) throws -> NSMappingModel {
    let inferred = try NSMappingModel.inferredMappingModel(
      forSourceModel: source,
      destinationModel: destination
    )
    let mapping = NSMappingModel()
    mapping.entityMappings = inferred.entityMappings
    for entity in mapping.entityMappings ?? [] {
      entity.mappingType = .customEntityMappingType
      entity.entityMigrationPolicyClassName = policy
    }
    return mapping
  }

  private func migrate(_ mapping: NSMappingModel) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
    try coordinator.migrateStore(at: store.file, ofType: NSSQLiteStoreType, from: source, by: mapping)
  }

  @Test("no program can write from the first read of the migration until the store is replaced")
  func locked() throws {
    IntrudingPolicy.lock.withLock { IntrudingPolicy.stores[title] = store.file }
    try migrate(mapping("CoreDataTests.IntrudingPolicy"))
    #expect(IntrudingPolicy.lock.withLock { IntrudingPolicy.outcomes[title] } == [.SQLITE_BUSY])
    #expect(try store.query("SELECT ZNAME || ZRANK FROM ZNOTE") == ["\(title)5"])
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
    #expect(!names.contains { $0.hasPrefix(".") }, "\(names)")
  }

  @Test(
    "later commits through connections that others opened before the migration are in the store",
    arguments: [true, false]
  )
  func openBefore(_ isInferred: Bool) throws {
    let other = try SQLiteConnection(path: store.file.path)
    _ = try other.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZNOTE") }
    try migrate(
      isInferred
        ? NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        : mapping()
    )
    try other.write { try $0.execute(sql: "UPDATE ZNOTE SET ZNAME = 'later'") }
    try other.close()
    #expect(try store.open(destination).texts("Note") == ["later"])
  }

  @Test("a failed migration leaves the store unchanged, and no file next to it")
  func failed() throws {
    let before = try store.dump()
    #expect(throws: NSError.self) { try migrate(mapping("CoreDataTests.NoSuchPolicy")) }
    #expect(try store.dump() == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
    #expect(!names.contains { $0.hasPrefix(".") }, "\(names)")
  }

  @Test(
    "a program that still has the former model cannot write into the migrated store",
    arguments: [true, false]
  )
  func formerModel(_ isInferred: Bool) throws {
    let context = try store.open(source)
    try migrate(
      isInferred
        ? NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        : mapping()
    )
    context.make("Note", ["name": "lost"])
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
    #expect(try store.query("SELECT ZNAME FROM ZNOTE") == [title])
  }

  @Test("a replaced store contains later commits through connections opened before")
  func replaced() throws {
    let new = try VersionedStore(Self.old) { $0.make("Note", ["name": "new"]) }
    let other = try SQLiteConnection(path: store.file.path)
    _ = try other.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZNOTE") }
    let context = try store.open(source)
    try NSPersistentStoreCoordinator(managedObjectModel: source).replacePersistentStore(
      at: store.file,
      withPersistentStoreFrom: new.file,
      type: .sqlite
    )
    // Objects of the old store must not be saved over those of the new one.
    context.make("Note", ["name": "of the former store"])
    #expect(throws: NSError.self) { try context.save() }
    try other.write { try $0.execute(sql: "UPDATE ZNOTE SET ZNAME = ZNAME || ', later'") }
    try other.close()
    #expect(try store.open(source).texts("Note") == ["new, later"])
  }

  @Test("a store with pages of another size is replaced, and takes them on")
  func pageSize() throws {
    let new = try VersionedStore(Self.old) { $0.make("Note", ["name": "new"]) }
    let queue = try SQLiteConnection(path: new.file.path)
    try queue.use {
      try $0.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA page_size = 1024; VACUUM")
    }
    try queue.close()
    try NSPersistentStoreCoordinator(managedObjectModel: source).replacePersistentStore(
      at: store.file,
      withPersistentStoreFrom: new.file,
      type: .sqlite
    )
    #expect(try store.query("PRAGMA page_size") == [4096])
    #expect(try store.open(source).texts("Note") == ["new"])
  }

  @Test("moving a store leaves the old one open when the new one cannot be opened")
  func notMoved() throws {
    try store.close()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: source)
    let old = try coordinator.addPersistentStore(type: .sqlite, at: store.file)
    let target = store.folder.file("moved.sqlite")
    #expect(throws: NSError.self) {
      try coordinator.migratePersistentStore(
        old,
        to: target,
        options: [NSSQLitePragmasOption: ["no; such pragma": "1"]],
        type: .sqlite
      )
    }
    #expect(coordinator.persistentStores == [old])
    #expect(!FileManager.default.fileExists(atPath: target.path))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    #expect(try context.texts("Note") == [title])
    try coordinator.remove(old)
  }
}
