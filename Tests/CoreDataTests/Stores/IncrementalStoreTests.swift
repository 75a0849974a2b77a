import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("An application's own incremental store")
struct IncrementalStoreTests {
  @Test("an incremental store answers requests, and returns values as objects need them")
  func asked() throws {
    let stack = try Stack(.incremental)
    let note = stack.note("one", rating: 4, stack.category("c"), tags: [stack.tag("t")])
    try stack.save()
    let store = try #require(stack.coordinator.persistentStores.first as? IncrementalTestStore)
    let name = try #require(store.referenceObject(for: note.objectID) as? Int)
    #expect(store.newObjectID(for: note.entity, referenceObject: name) == note.objectID)
    #expect(note.objectID.uriRepresentation().lastPathComponent == "p\(name)")
    let fresh = stack.newContext()
    let found = try #require(
      try stack.fetch(Note.self, "rating > 3 AND ANY tags.name == 't'", in: fresh).first
    )
    #expect(found.title == "one")
    #expect(found.category?.name == "c")
    #expect(try fresh.count(for: NSFetchRequest<Note>(entityName: "Note")) == 1)
  }

  @Test("an incremental store that fails to save leaves the context with its changes")
  func failing() throws {
    let stack = try Stack(.incremental)
    let store = try #require(stack.coordinator.persistentStores.first as? IncrementalTestStore)
    store.isFailing = true
    stack.note("one")
    let error = #expect(throws: CocoaError.self) { try stack.context.save() }
    #expect(error?.code == .fileWriteOutOfSpace)
    #expect(stack.context.insertedObjects.count == 1)
    store.isFailing = false
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.title) == ["one"])
  }

  @Test("an incremental store refuses batch requests with an error")
  func batches() throws {
    for kind in [StoreKind.incremental, .atomic] {
      let stack = try Stack(kind)
      stack.note("one")
      try stack.save()
      let deletion = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Note"))
      let error = #expect(throws: NSError.self) { try stack.context.execute(deletion) }
      #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
      #expect(try stack.fetch(Note.self, in: stack.newContext()).count == 1)
    }
  }

  @Test("an incremental store has text keys that are the same the next time")
  func keys() {
    let (one, other) = (ReferenceObjects(), ReferenceObjects())
    let names = ["a", "b", "x-1", "Ä"]
    let keys = names.map { one.key(of: $0, root: 1) }
    #expect(Set(keys).count == names.count && keys.allSatisfy { $0 > 0 })
    #expect(names.reversed().map { other.key(of: $0, root: 1) } == keys.reversed())
    #expect(one.key(of: 7, root: 1) == 7)
    #expect(one.name(of: keys[2], root: 1) as? String == "x-1")
    #expect(one.name(of: keys[2], root: 2) == nil)
  }
}
