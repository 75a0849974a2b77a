import CoreData
import Foundation
import Testing

@Suite("Object IDs")
struct ObjectIDTests {
  @Test("a temporary ID has an entity and no store", arguments: StoreKind.allCases)
  func temporary(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let objectID = stack.note("one").objectID
    #expect(objectID.isTemporaryID && objectID.persistentStore == nil && objectID.entity.name == "Note")
    #expect(objectID.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Note/t"))
  }

  @Test(
    "a permanent ID has the store, and an address with the store's identifier",
    arguments: StoreKind.storesAndChildren
  )
  func permanent(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let store = try #require(stack.coordinator.persistentStores.first)
    #expect(!note.objectID.isTemporaryID && note.objectID.persistentStore === store)
    #expect(
      note.objectID.uriRepresentation().absoluteString == "x-coredata://\(store.identifier ?? "")/Note/p1"
    )
  }

  @Test("an ID's URI leads back to the ID", arguments: StoreKind.storesAndChildren)
  func address(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let url = note.objectID.uriRepresentation()
    #expect(stack.coordinator.managedObjectID(forURIRepresentation: url) == note.objectID)
  }

  @Test(
    "the text of a URI leads back to the ID, and other text does not",
    arguments: StoreKind.storesAndChildren
  )
  func text(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let text = note.objectID.uriRepresentation().absoluteString
    #expect(stack.coordinator.managedObjectID(for: text) == note.objectID)
    #expect(stack.coordinator.managedObjectID(for: "\(text)x") == nil)
    #expect(stack.coordinator.managedObjectID(for: "no address") == nil)
  }

  @Test("an address of another store or of nothing leads nowhere", arguments: StoreKind.storesAndChildren)
  func unknownAddress(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    let addresses = [
      "x-coredata://00000000-0000-0000-0000-000000000000/Note/p1", "x-coredata:///Note/t1",
      "https://example.org/Note/p1",
      "x-coredata://\(stack.coordinator.persistentStores[0].identifier ?? "")/Nothing/p1",
      "x-coredata://\(stack.coordinator.persistentStores[0].identifier ?? "")/Note/p0",
      "x-coredata://\(stack.coordinator.persistentStores[0].identifier ?? "")/Note",
    ]
    for address in addresses {
      let url = try #require(URL(string: address))
      #expect(stack.coordinator.managedObjectID(forURIRepresentation: url) == nil, "\(address)")
    }
  }

  @Test(
    "IDs of the same record are equal, whichever context they are from",
    arguments: StoreKind.storesAndChildren
  )
  func equal(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let notes = [stack.note("one"), stack.note("two")]
    try stack.save()
    let same = try stack.fetch(Note.self, sort: [.byTitle], in: stack.newContext()).map(\.objectID)
    #expect(same == notes.map(\.objectID))
    #expect(same.map(\.hash) == notes.map(\.objectID.hash))
    #expect(Set(same + notes.map(\.objectID)).count == 2)
    #expect(notes[0].objectID != notes[1].objectID)
  }

  @Test("two new objects have two IDs", arguments: StoreKind.allCases)
  func new(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    #expect(stack.note("one").objectID != stack.note("one").objectID)
  }

  @Test("an object ID stays the same while its object changes", arguments: StoreKind.storesAndChildren)
  func stable(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let objectID = note.objectID
    note.title = "two"
    try stack.save()
    stack.context.refresh(note, mergeChanges: false)
    #expect(note.objectID == objectID)
  }

  @Test("an ID is its own copy", arguments: StoreKind.storesAndChildren)
  func copy(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let objectID = stack.note("one").objectID
    #expect(objectID.copy() as AnyObject === objectID)
  }

  @Test("IDs of subentities lead to objects of their entity", arguments: StoreKind.storesAndChildren)
  func subentities(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let employee = Employee(context: stack.context)
    try stack.save()
    let context = stack.newContext()
    #expect(employee.objectID.entity.name == "Employee")
    #expect(context.object(with: employee.objectID) is Employee)
  }

  @Test(
    "an ID can be given to another thread, and its object be used there",
    arguments: StoreKind.storesAndChildren
  )
  func otherThread(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let (objectID, context) = (note.objectID, stack.newContext())
    let title = await context.perform { context.object(with: objectID).value(forKey: "title") as? String }
    #expect(title == "one")
  }

  @Test("a store opened again gives the same IDs")
  func reopened() throws {
    let stack = try Stack(.sqlite)
    let note = stack.note("one")
    try stack.save()
    let url = note.objectID.uriRepresentation()
    let store = try #require(stack.coordinator.persistentStores.first)
    let file = try #require(store.url)
    try stack.coordinator.remove(store)
    let again = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try again.addPersistentStore(type: .sqlite, at: file)
    let objectID = try #require(again.managedObjectID(forURIRepresentation: url))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = again
    #expect(try context.existingObject(with: objectID).value(forKey: "title") as? String == "one")
  }
}
