import Foundation
import Testing

@testable import CoreData

@Suite("Metadata that a coordinator sets")
struct MetadataSavingTests {
  private func kept(_ stack: Stack, _ key: String) throws -> String? {
    let url = try #require(stack.coordinator.persistentStores[0].url)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    return metadata[key] as? String
  }

  @Test("a save without other changes stores metadata", arguments: [StoreKind.sqlite, .childOfSQLite])
  func alone(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let store = stack.coordinator.persistentStores[0]
    stack.coordinator.setMetadata(
      stack.coordinator.metadata(for: store).merging(["seed": "v1"]) { $1 },
      for: store
    )
    #expect(try kept(stack, "seed") == nil)
    try stack.save()
    #expect(try kept(stack, "seed") == "v1")
  }

  @Test(
    "metadata stay pending when a save fails, and the next save stores them",
    arguments: [StoreKind.sqlite, .xml, .inMemory]
  )
  func failedSave(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let id = note.objectID
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = stack.coordinator
    try other.performAndWait {
      try #require(try other.existingObject(with: id) as? Note).title = "other"
      try other.save()
    }
    note.title = "two"
    let store = try #require(stack.coordinator.persistentStores[0] as? any ObjectStore)
    #expect(!store.hasUnsavedMetadata)
    store.metadata["seed"] = "v1"
    #expect(throws: (any Error).self) { try stack.context.save() }
    #expect(store.hasUnsavedMetadata)
    stack.context.rollback()
    try stack.context.save()
    #expect(!store.hasUnsavedMetadata)
    #expect(store.metadata["seed"] as? String == "v1")
  }

  @Test("metadata set during a failing save wait for the next save", arguments: [StoreKind.sqlite, .xml])
  func whileFailing(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let store = try #require(stack.coordinator.persistentStores[0] as? any ObjectStore)
    #expect(!store.hasUnsavedMetadata)
    #expect(throws: CocoaError.self) {
      try store.savingMetadata {
        store.metadata["seed"] = "v1"
        throw CocoaError(.fileWriteOutOfSpace)
      }
    }
    #expect(store.hasUnsavedMetadata)
    try stack.context.save()
    #expect(!store.hasUnsavedMetadata)
    #expect(store.metadata["seed"] as? String == "v1")
  }

  @Test("metadata set while others are saved wait for the next save", arguments: [StoreKind.sqlite, .xml])
  func whileSaving(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let store = try #require(stack.coordinator.persistentStores[0] as? any ObjectStore)
    store.metadata["seed"] = "v1"
    let outcome = try store.savingMetadata {
      let outcome = try store.commit(ChangeSet()) {
        store.metadata["seed"] = "v2"
        return nil
      }
      return outcome
    }
    guard case .saved = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(store.hasUnsavedMetadata)
  }

  @Test("metadata of several stores are saved with each of them")
  func severalStores() throws {
    let stack = try Stack(.sqlite)
    let other = stack.folder.appendingPathComponent("other.sqlite")
    try stack.coordinator.addPersistentStore(type: .sqlite, at: other)
    for store in stack.coordinator.persistentStores { store.metadata["key"] = "value" }
    try stack.context.save()
    #expect(try kept(stack, "key") == "value")
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: other)
    #expect(metadata["key"] as? String == "value")
  }

  @Test("metadata of a closed store are set and read by type")
  func closed() throws {
    let stack = try Stack(.sqlite)
    let store = stack.coordinator.persistentStores[0]
    let url = try #require(store.url)
    try stack.coordinator.remove(store)
    try NSPersistentStoreCoordinator.setMetadata(["key": "value"], type: .sqlite, at: url)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(metadata["key"] as? String == "value")
    #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
    #expect(metadata[NSPersistentStoreModelVersionChecksumKey] as? String == TestModel.shared.versionChecksum)
  }

  @Test("metadata of a read-only store do not prevent other saves")
  func readOnly() throws {
    let stack = try Stack(.sqlite)
    stack.note("one")
    try stack.save()
    let store = stack.coordinator.persistentStores[0]
    let url = try #require(store.url)
    try stack.coordinator.remove(store)
    try stack.coordinator.addPersistentStore(
      type: .sqlite,
      at: url,
      options: [NSReadOnlyPersistentStoreOption: true]
    )
    let context = stack.newContext()
    #expect(try stack.fetch(Note.self, in: context).count == 1)
    try context.save()
  }
}
