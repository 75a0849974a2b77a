import CoreData
import Foundation
import Testing

@Suite("The objects that a context has")
struct RegisteredObjectsTests {
  @Test("a context releases objects that nothing else retains", arguments: StoreKind.allCases)
  func letGo(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    stack.context.reset()
    weak var note: Note?
    do {
      note = try stack.fetch(Note.self).first
    }
    #expect(note == nil)
    #expect(stack.context.registeredObjects.isEmpty)
  }

  @Test("a context keeps unreferenced objects if it retains them", arguments: StoreKind.allCases)
  func retained(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    stack.context.reset()
    stack.context.retainsRegisteredObjects = true
    weak var note: Note?
    do {
      note = try stack.fetch(Note.self).first
    }
    #expect(note != nil)
    #expect(stack.context.registeredObjects.count == 1)
    stack.context.reset()
    #expect(note == nil)
  }

  @Test("an object with changes is kept until they are saved", arguments: StoreKind.allCases)
  func keptWithChanges(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    stack.context.reset()
    weak var note: Note?
    do {
      let fetched = try #require(try stack.fetch(Note.self).first)
      fetched.rating = 9
      note = fetched
    }
    #expect(note != nil)
    try stack.save()
    #expect(note == nil)
  }

  @Test("registeredObject finds only objects already in the context", arguments: StoreKind.allCases)
  func registered(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    #expect(stack.context.registeredObject(for: note.objectID) === note)
    #expect(stack.newContext().registeredObject(for: note.objectID) == nil)
  }

  @Test("object(with:) answers a fault for an ID that is not looked up", arguments: StoreKind.allCases)
  func objectWithID(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let context = stack.newContext()
    let objectID = try #require(try stack.fetch(Note.self, in: stack.newContext()).first).objectID
    #expect(context.object(with: objectID).isFault)
    #expect(note.objectID == objectID || kind.isChild)
  }

  @Test("obtainPermanentIDs makes temporary IDs permanent before the save", arguments: StoreKind.allCases)
  func permanentIDs(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let notes = [stack.note("one"), stack.note("two")]
    #expect(notes.allSatisfy { $0.objectID.isTemporaryID })
    try stack.context.obtainPermanentIDs(for: notes)
    let objectIDs = notes.map(\.objectID)
    #expect(objectIDs.allSatisfy { !$0.isTemporaryID && $0.persistentStore != nil })
    #expect(notes.allSatisfy { $0.isInserted })
    try stack.save()
    #expect(notes.map(\.objectID) == objectIDs)
    #expect(
      try stack.newContext().existingObject(with: objectIDs[1]).value(forKey: "title") as? String == "two"
    )
  }

  @Test("obtainPermanentIDs leaves an ID alone that is permanent", arguments: StoreKind.allCases)
  func permanentTwice(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.context.obtainPermanentIDs(for: [note])
    let objectID = note.objectID
    try stack.context.obtainPermanentIDs(for: [note])
    #expect(note.objectID == objectID)
  }

  @Test("relationships lead to objects whose IDs became permanent early", arguments: StoreKind.allCases)
  func permanentInRelationship(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let note = stack.note("one", category)
    try stack.context.obtainPermanentIDs(for: [category])
    try stack.context.obtainPermanentIDs(for: [note])
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(saved.category?.objectID == category.objectID)
  }

  @Test("an object is used in its own context alone", arguments: StoreKind.allCases)
  func otherContext(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let context = stack.newContext()
    let other = try #require(try stack.fetch(Note.self, in: context).first)
    #expect(other !== note)
    #expect(other.objectID.uriRepresentation() == (kind.isChild ? other : note).objectID.uriRepresentation())
    other.title = "two"
    #expect(note.title == "one")
  }
}
