import CoreData
import Foundation
import ModelFormats
import Testing

@testable import CoreData

/// A store on a fictitious server, whose URL does not refer to a file. It migrates itself, and cannot be copied.
private final class ServerTestStore: NSPersistentStore, MemoryBackedStore, ModelCachingStore,
  @unchecked Sendable
{
  static let storeType = "ServerTestStore"
  static let lock = NSLock()
  /// The models of the stores, by URL.
  nonisolated(unsafe) static var models: [URL: NSManagedObjectModel] = [:]

  let memory: InMemoryStore
  let writing = NSRecursiveLock()

  static let isRegistered: Bool = {
    NSPersistentStoreCoordinator.registerStoreClass(ServerTestStore.self, forStoreType: storeType)
    return true
  }()

  override init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
    configurationName name: String?,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    memory = Self.makeMemory(options: options)
    super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
  }

  private var present: NSManagedObjectModel? {
    get { Self.lock.withLock { url.flatMap { Self.models[$0] } } }
    set { Self.lock.withLock { if let url { Self.models[url] = newValue } } }
  }

  override var type: String { Self.storeType }

  func open(model: NSManagedObjectModel) throws {
    if let present { try #require(present.entityVersionHashesByName == model.entityVersionHashesByName) }
    present = model
    identifier = url?.absoluteString
    try openMemory(model)
  }

  func references(for changes: ChangeSet) throws -> [Int64: ObjectReference] { [:] }

  func commitDraft(_ draft: InMemoryContents, changes: ChangeSet?) throws {}

  static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {}

  // MARK: - Migrating

  func metadataBeforeOpening() throws -> [String: Any]? {
    present.map {
      [NSStoreTypeKey: type, NSStoreModelVersionHashesKey: $0.entityVersionHashesByName]
    }
  }

  func cachedModel() throws -> NSManagedObjectModel? { present }

  func migrate(_ migration: LightweightMigration) throws {
    #expect(migration.source === present)
    #expect(migration.correspondence.properties(of: "Note") == ["title": "name"])
    present = migration.destination
  }
}

@Suite("The capabilities of a store")
struct StoreCapabilityTests {
  private static let old =
    #"<entity name="Note"><attribute name="name" attributeType="String" optional="YES"/></entity>"#
  private static let new = """
    <entity name="Note"><attribute name="title" elementID="name" attributeType="String" optional="YES"/></entity>
    """

  private let url: URL

  init() throws {
    #expect(ServerTestStore.isRegistered)
    url = try #require(URL(string: "server://host/\(UUID().uuidString)"))
  }

  private func coordinator(_ model: NSManagedObjectModel) -> NSPersistentStoreCoordinator {
    NSPersistentStoreCoordinator(managedObjectModel: model)
  }

  @Test("a store's class declares what the store can do")
  func declared() throws {
    func capabilities(_ type: String) throws -> [String] {
      let storeClass = try StoreTypes.storeClass(of: type)
      let all: [(String, Bool)] = [
        ("copyable", storeClass is any CopyableStore.Type),
        ("whole", storeClass is any WholeFileStore.Type),
        ("movable", storeClass is any MovableStore.Type),
        ("preparable", storeClass is any PreparableStore.Type),
        ("migratable", storeClass is any MigratableStore.Type),
        ("keeping", storeClass is any ModelCachingStore.Type),
        ("deferring", storeClass is any DeferringStore.Type),
        ("transactional", storeClass is any TransactionalStore.Type),
        ("historical", storeClass is any HistoryStore.Type),
        ("inspectable", storeClass is any InspectableStore.Type),
        ("discardable", storeClass is any DiscardableStore.Type),
        ("rounding", storeClass is any DecimalRoundingStore.Type),
        ("mirrorable", storeClass is any MirrorableStore.Type),
      ]
      return all.filter(\.1).map(\.0)
    }
    #expect(
      try capabilities(NSSQLiteStoreType) == [
        "copyable", "movable", "preparable", "migratable", "keeping", "deferring", "transactional",
        "historical", "inspectable", "discardable", "rounding", "mirrorable",
      ]
    )
    #expect(try capabilities(NSXMLStoreType) == ["copyable", "whole"])
    #expect(try capabilities(NSBinaryStoreType) == ["copyable", "whole"])
    #expect(try capabilities(NSInMemoryStoreType) == [])
    #expect(StoreKind.registersOwnStores)
    #expect(try capabilities(AtomicTestStore.storeType) == ["copyable", "whole"])
    #expect(try capabilities(IncrementalTestStore.storeType) == ["copyable", "whole"])
  }

  @Test("a store whose URL is not a file is migrated by itself and opened")
  func migrated() throws {
    let (old, new) = (try VersionedStore.model(Self.old), try VersionedStore.model(Self.new))
    _ = try coordinator(old).addPersistentStore(
      ofType: ServerTestStore.storeType,
      configurationName: nil,
      at: url
    )
    let coordinator = coordinator(new)
    let store = try coordinator.addPersistentStore(
      ofType: ServerTestStore.storeType,
      configurationName: nil,
      at: url,
      options: VersionedStore.automatic
    )
    #expect(coordinator.persistentStores == [store])
    #expect(ServerTestStore.lock.withLock { ServerTestStore.models[url] } === new)
  }

  @Test("a store that cannot be copied is neither replaced nor migrated object by object")
  func notCopied() throws {
    let (old, new) = (try VersionedStore.model(Self.old), try VersionedStore.model(Self.new))
    _ = try coordinator(old).addPersistentStore(
      ofType: ServerTestStore.storeType,
      configurationName: nil,
      at: url
    )
    let coordinator = coordinator(new)
    let migrating = #expect(throws: NSError.self) {
      try coordinator.migrateStore(
        at: url,
        ofType: ServerTestStore.storeType,
        from: old,
        by: NSMappingModel()
      )
    }
    #expect(migrating?.code == NSMigrationError)
    #expect(migrating?.localizedDescription.contains(ServerTestStore.storeType) == true)
    let replacing = #expect(throws: NSError.self) {
      try coordinator.replacePersistentStore(
        at: url,
        withPersistentStoreFrom: url,
        ofType: ServerTestStore.storeType
      )
    }
    #expect(replacing?.code == NSPersistentStoreInvalidTypeError)
    #expect(replacing?.localizedDescription.contains(ServerTestStore.storeType) == true)
  }

  @Test("objects are moved one by one into a store that cannot be copied")
  func moved() throws {
    let coordinator = coordinator(try VersionedStore.model(Self.old))
    let store = try coordinator.addPersistentStore(type: .inMemory)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.make("Note", ["name": "a"])
    try context.save()
    context.reset()
    let moved = try coordinator.migratePersistentStore(store, to: url, withType: ServerTestStore.storeType)
    #expect(coordinator.persistentStores == [moved])
    #expect(try context.texts("Note") == ["a"])
  }
}
