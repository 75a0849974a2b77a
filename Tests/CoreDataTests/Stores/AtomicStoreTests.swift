import CoreData
import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("Atomic stores")
struct AtomicStoreTests {
  static let kinds: [StoreKind] = [.xml, .binary, .atomic]

  /// A context on a second coordinator with the store of a stack.
  private func reopened(_ stack: Stack) throws -> NSManagedObjectContext {
    let store = try #require(stack.coordinator.persistentStores.first)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(ofType: store.type, configurationName: nil, at: store.url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func fill(_ stack: Stack) throws -> Note {
    let note = stack.note(
      "Grüße \\ <&> \u{1}\n\"x\"",
      rating: 5,
      stack.category("c"),
      tags: [stack.tag("t"), stack.tag("u")]
    )
    note.setValuesForKeys([
      "createdAt": Date(timeIntervalSinceReferenceDate: 123_456_789.123_456_7), "isPinned": true, "small": 7,
      "ratio": 0.1, "price": NSDecimalNumber(string: "12345678901234567890.5"), "body": Data([0, 1, 255]),
      "identifier": UUID(), "link": URL(string: "https://example.com/?a=b&c=d") as Any,
    ])
    try stack.save()
    return note
  }

  @Test("atomic stores keep values, relationships and keys when reopened", arguments: kinds)
  func roundTrip(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fill(stack)
    let context = try reopened(stack)
    let found = try #require(try context.fetch(NSFetchRequest<Note>(entityName: "Note")).first)
    for name in note.entity.attributesByName.keys {
      let (one, other) = (note.value(forKey: name) as? NSObject, found.value(forKey: name) as? NSObject)
      #expect(one == other, "\(name)")
    }
    #expect(found.objectID.uriRepresentation() == note.objectID.uriRepresentation())
    #expect(found.category?.name == "c")
    #expect(Set(found.tags.map(\.name)) == ["t", "u"])
    #expect(found.category?.notes == [found])
  }

  @Test("atomic stores keep changes and deletions, and reuse no key", arguments: kinds)
  func changes(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let first = stack.note("first")
    try stack.save()
    let address = first.objectID.uriRepresentation()
    stack.note("second").rating = 4
    stack.context.delete(first)
    try stack.save()
    let context = try reopened(stack)
    let third = Note(context: context)
    third.title = "third"
    try context.save()
    let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
    #expect(Set(notes.map(\.title)) == ["second", "third"])
    #expect(!notes.map { $0.objectID.uriRepresentation() }.contains(address))
  }

  @Test("atomic stores keep changes made after they were reopened", arguments: kinds)
  func changesOfReopened(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    for title in ["changed", "deleted"] { stack.note(title, category) }
    try stack.save()
    let context = try reopened(stack)
    let notes = NSFetchRequest<Note>(entityName: "Note")
    notes.sortDescriptors = [.byTitle]
    let found = try context.fetch(notes)
    found[0].rating = 4
    context.delete(found[1])
    let new = Note(context: context)
    new.title = "new"
    new.category = found[0].category
    try context.save()
    let again = try reopened(stack)
    let kept = try again.fetch(notes)
    #expect(kept.map(\.title) == ["changed", "new"] && kept.first?.rating == 4)
    let categories = try again.fetch(NSFetchRequest<Category>(entityName: "Category"))
    #expect(categories.map { Set($0.notes.map(\.title)) } == [["changed", "new"]])
  }

  @Test(
    "atomic stores keep metadata with a save, and return them without being opened",
    arguments: [StoreKind.xml, .binary]
  )
  func metadata(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let store = try #require(stack.coordinator.persistentStores.first)
    store.metadata["seed"] = "v1"
    stack.note("x")
    try stack.save()
    let url = try #require(store.url)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: kind.storeType,
      at: url
    )
    #expect(metadata["seed"] as? String == "v1")
    #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
    #expect(metadata[NSStoreTypeKey] as? String == kind.storeType)
    #expect(TestModel.shared.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    try NSPersistentStoreCoordinator.setMetadata(
      ["seed": "v2"],
      forPersistentStoreOfType: kind.storeType,
      at: url
    )
    let context = try reopened(stack)
    let other = try #require(context.persistentStoreCoordinator?.persistentStores.first)
    #expect(other.metadata["seed"] as? String == "v2")
    #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 1)
  }

  @Test(
    "atomic stores are unchanged if writing fails, and the context keeps its changes",
    arguments: [StoreKind.xml, .binary]
  )
  func unwritable(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("kept")
    try stack.save()
    let store = try #require(stack.coordinator.persistentStores.first)
    store.url = stack.folder.appendingPathComponent("no/such/folder/store")
    stack.note("lost")
    let error = #expect(throws: NSError.self) { try stack.context.save() }
    #expect(error?.localizedDescription.contains("no/such/folder") == true)
    #expect(stack.context.hasChanges)
    #expect(try stack.newContext().count(for: NSFetchRequest<Note>(entityName: "Note")) == 1)
    store.url = stack.folder.appendingPathComponent("store")
    try stack.save()
    #expect(try stack.newContext().count(for: NSFetchRequest<Note>(entityName: "Note")) == 2)
  }

  @Test("atomic stores refuse another model or another format", arguments: [StoreKind.xml, .binary])
  func refused(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("x")
    try stack.save()
    let url = stack.folder.appendingPathComponent("store")
    let model = TestModel.make()
    model.entitiesByName["Tag"]?.attributesByName["name"]?.isOptional.toggle()
    let other = NSPersistentStoreCoordinator(managedObjectModel: model)
    let version = #expect(throws: NSError.self) {
      try other.addPersistentStore(ofType: kind.storeType, configurationName: nil, at: url)
    }
    #expect(version?.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(version?.localizedDescription.contains("changed: Tag") == true)
    try Data("a letter".utf8).write(to: url)
    let format = #expect(throws: NSError.self) { try reopened(stack) }
    #expect(format?.code == CocoaError.fileReadCorruptFile.rawValue)
    #expect(format?.localizedDescription.contains(url.path) == true)
  }

  @Test("an application's atomic store has a node for each object, and is unchanged if a save fails")
  func nodes() throws {
    let stack = try Stack(.atomic)
    let note = stack.note("one", tags: [stack.tag("t")])
    try stack.save()
    let store = try #require(stack.coordinator.persistentStores.first as? AtomicTestStore)
    #expect(store.cacheNodes().count == 2)
    let node = try #require(store.cacheNode(for: note.objectID))
    #expect(node.value(forKey: "title") as? String == "one")
    let name = try #require(store.referenceObject(for: note.objectID) as? String)
    #expect(store.objectID(for: note.entity, withReferenceObject: name) == note.objectID)

    AtomicTestStore.failing.withLock { _ = $0.insert(store.url?.absoluteString ?? "") }
    note.title = "two"
    _ = stack.tag("new")
    #expect(throws: CocoaError.self) { try stack.context.save() }
    #expect(store.cacheNodes().count == 2)
    #expect(node.value(forKey: "title") as? String == "one")
    let fresh = stack.newContext()
    #expect(try fresh.fetch(NSFetchRequest<Note>(entityName: "Note")).first?.title == "one")
    try stack.context.save()
    #expect(store.cacheNodes().count == 3)
    #expect(node.value(forKey: "title") as? String == "two")
    stack.context.delete(note)
    try stack.context.save()
    #expect(store.cacheNode(for: note.objectID) == nil)
  }

  @Test("store types are registered by name, and can be removed")
  func registration() throws {
    _ = StoreKind.registersOwnStores
    #expect(NSPersistentStoreCoordinator.registeredStoreTypes[NSXMLStoreType] != nil)
    let found = try #require(NSPersistentStoreCoordinator.registeredStoreTypes[AtomicTestStore.storeType])
    #expect(found == AtomicTestStore.self)
    NSPersistentStoreCoordinator.registerStoreClass(AtomicTestStore.self, forStoreType: "other")
    NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "other")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(ofType: "other", configurationName: nil, at: nil)
    }
    #expect(error?.code == NSPersistentStoreInvalidTypeError)
  }
}
