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

  /// Opens a store with a model, and has another program migrate it to a second one in between.
  private static func open(
    _ store: VersionedStore,
    _ model: String,
    meanwhile other: String
  ) throws -> NSManagedObjectContext {
    let (file, type) = (store.file, store.type)
    let isFirst = Mutex(true)
    let failure = Mutex<String?>(nil)
    let registration = StoreObservers.add(
      StoreObserver(
        hearsMigrations: true,
        migrating: { step, _ in
          guard step.contains("another version"), isFirst.withLock({ $0 }) else { return }
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
    let context = try store.open(VersionedStore.model(model), options: VersionedStore.automatic)
    #expect(isFirst.withLock { !$0 } && failure.withLock { $0 } == nil)
    return context
  }

  @Test("to the same model is open, with what was in it")
  func sameModel() throws {
    let store = try VersionedStore(Self.old) { $0.make("Note", ["name": "a"]) }
    #expect(try Self.open(store, Self.new, meanwhile: Self.new).texts("Note") == ["a"])
  }

  @Test("to a third model is migrated from that one")
  func thirdModel() throws {
    let store = try VersionedStore(Self.old) { $0.make("Note", ["name": "a"]) }
    #expect(try Self.open(store, Self.newest, meanwhile: Self.new).texts("Note") == ["a"])
    try store.close()
    try store.expectFreshSchema(Self.newest)
  }
}
