import CoreData
import Foundation
import Testing

@Suite("Inserting and saving")
struct InsertingTests {
  @Test("a saved object is found in another context", arguments: StoreKind.allCases)
  func saved(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one", rating: 7)
    try stack.save()
    let found = try stack.fetch(Note.self, in: stack.newContext())
    #expect(found.map(\.title) == ["one"])
    #expect(found.first?.rating == 7)
  }

  @Test("a new object has the default values", arguments: StoreKind.allCases)
  func defaults(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = Note(context: stack.context)
    #expect(note.rating == 3)
    #expect(note.title == nil)
  }

  @Test("an ID is temporary before the save and permanent after it", arguments: StoreKind.allCases)
  func objectIDs(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    #expect(note.objectID.isTemporaryID)
    try stack.save()
    let other = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    _ = try stack.fetch(Note.self)
    #expect(!note.objectID.isTemporaryID)
    #expect(note.objectID == other.objectID)
    #expect(note.objectID.uriRepresentation() == other.objectID.uriRepresentation())
    #expect(
      stack.coordinator.managedObjectID(forURIRepresentation: note.objectID.uriRepresentation())
        == note.objectID
    )
  }

  @Test("a fetch after a save finds the very object that was saved", arguments: StoreKind.allCases)
  func uniquing(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let found = try stack.fetch(Note.self)
    #expect(found.count == 1)
    #expect(found.first === note)
  }

  @Test("a text with U+0000 is read unchanged or fails validation", arguments: StoreKind.allCases)
  func zero(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("a\u{0}b")
    if kind.isPostgreSQL {
      let error = #expect(throws: NSError.self) { try stack.save() }
      #expect(error?.code == NSManagedObjectValidationError)
      #expect(error?.localizedDescription.contains("Note.title") == true)
      #expect(error?.localizedDescription.contains("U+0000") == true)
      note.title = "ab"
    }
    try stack.save()
    let title = try stack.fetch(Note.self, in: stack.newContext()).first?.title
    #expect(title == (kind.isPostgreSQL ? "ab" : "a\u{0}b"))
  }

  @Test("every type of attribute is read back unchanged", arguments: StoreKind.allCases)
  func attributeTypes(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let identifier = UUID()
    let values: [String: Any] = [
      "title": "Grüße, 世界 🌍 x", "rating": Int64.max,
      "createdAt": Date(timeIntervalSince1970: 1_710_683_139.25),
      "isPinned": true, "small": Int16.min, "medium": Int32.max, "ratio": 0.1, "share": Float(0.25),
      "price": Decimal(string: "10.11") as Any, "body": Data([0, 1, 255]), "identifier": identifier,
      "link": URL(string: "https://example.org/a?b=c") as Any,
    ]
    stack.note("x").setValuesForKeys(values)
    try stack.save()
    let note = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(note.value(forKey: "title") as? String == values["title"] as? String)
    #expect(note.value(forKey: "rating") as? Int64 == .max)
    #expect(note.createdAt == Date(timeIntervalSince1970: 1_710_683_139.25))
    #expect(note.value(forKey: "isPinned") as? Bool == true)
    #expect(note.value(forKey: "small") as? Int16 == .min)
    #expect(note.value(forKey: "medium") as? Int32 == .max)
    #expect(note.value(forKey: "ratio") as? Double == 0.1)
    #expect(note.value(forKey: "share") as? Float == 0.25)
    #expect((note.value(forKey: "price") as? NSDecimalNumber)?.decimalValue == Decimal(string: "10.11"))
    #expect(note.value(forKey: "body") as? Data == Data([0, 1, 255]))
    #expect(note.value(forKey: "identifier") as? UUID == identifier)
    #expect((note.value(forKey: "link") as? URL)?.absoluteString == "https://example.org/a?b=c")
  }

  @Test("a missing value is nil, and stays so", arguments: StoreKind.allCases)
  func missingValues(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    note.createdAt = Date()
    try stack.save()
    note.createdAt = nil
    try stack.save()
    let found = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(found.createdAt == nil)
    #expect(found.value(forKey: "price") == nil)
  }

  @Test("a transient value is kept in the object and not in the store", arguments: StoreKind.allCases)
  func transientValues(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    note.setValue("draft", forKey: "draft")
    try stack.save()
    #expect(note.value(forKey: "draft") as? String == "draft")
    #expect(try stack.fetch(Note.self, in: stack.newContext()).first?.value(forKey: "draft") == nil)
  }

  @Test("a changed value is saved, and an unchanged object is left alone", arguments: StoreKind.allCases)
  func updates(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let one = stack.note("one")
    stack.note("two")
    try stack.save()
    one.rating = 9
    #expect(one.isUpdated)
    #expect(stack.context.updatedObjects == [one])
    #expect(one.changedValues().keys.sorted() == ["rating"])
    try stack.save()
    #expect(!stack.context.hasChanges)
    let found = try stack.fetch(Note.self, sort: [.byTitle], in: stack.newContext())
    #expect(found.map(\.rating) == [9, 3])
  }

  @Test("a deleted object is gone after the save", arguments: StoreKind.allCases)
  func deletion(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let objectID = try #require(try stack.fetch(Note.self, in: stack.newContext()).first).objectID
    stack.context.delete(note)
    #expect(note.isDeleted)
    try stack.save()
    #expect(try stack.fetch(Note.self).isEmpty)
    #expect(note.managedObjectContext == nil)
    #expect(throws: (any Error).self) { try stack.newContext().existingObject(with: objectID) }
  }

  @Test("an object that is deleted before it was ever saved leaves nothing", arguments: StoreKind.allCases)
  func deletedBeforeSave(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", stack.category("c"))
    stack.context.delete(note)
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
    #expect(try stack.fetch(Category.self, in: stack.newContext()).first?.notes.isEmpty == true)
  }

  @Test("rollback restores the saved state", arguments: StoreKind.allCases)
  func rollback(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let note = stack.note("one", category)
    try stack.save()
    note.title = "changed"
    note.category = nil
    stack.note("two")
    stack.context.delete(category)
    stack.context.rollback()
    #expect(!stack.context.hasChanges)
    #expect(note.title == "one")
    #expect(note.category === category)
    #expect(category.notes == [note])
    #expect(try stack.fetch(Note.self).count == 1)
  }

  @Test("insertNewObject makes an object of the entity's class", arguments: StoreKind.allCases)
  func insertNewObject(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: stack.context)
    #expect(note is Note)
    #expect(note.isInserted)
    #expect(note.entity.name == "Note")
  }
}
