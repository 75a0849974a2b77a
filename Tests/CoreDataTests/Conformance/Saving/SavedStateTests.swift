import CoreData
import Foundation
import Testing

@Suite("The state after a save")
struct SavedStateTests {
  @Test("a save keeps the objects and their values", arguments: StoreKind.allCases)
  func keptValues(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let note = stack.note("one", rating: 9, category)
    try stack.save()
    #expect(note.title == "one" && note.rating == 9 && note.category === category)
    #expect(!note.isFault && note.managedObjectContext === stack.context)
  }

  @Test("several saves leave the last values", arguments: StoreKind.allCases)
  func lastValues(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("0")
    for number in 1...5 {
      note.title = "\(number)"
      try stack.save()
    }
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(saved.title == "5")
  }

  @Test("a failed save leaves the store as it was", arguments: StoreKind.allCases)
  func failed(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    note.title = "two"
    let gone = stack.note("gone")
    gone.title = nil
    #expect(throws: NSError.self) { try stack.context.save() }
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.title) == ["one"])
    #expect(note.title == "two" && note.isUpdated && gone.isInserted)
  }

  @Test("insertions, updates and deletions are saved together", arguments: StoreKind.allCases)
  func together(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (old, gone) = (stack.note("old"), stack.note("gone"))
    try stack.save()
    old.title = "changed"
    stack.context.delete(gone)
    stack.note("new")
    try stack.save()
    let titles = try stack.fetch(Note.self, sort: [.byTitle], in: stack.newContext()).map(\.title)
    #expect(titles == ["changed", "new"])
  }

  @Test("an object inserted after a failed save is saved by the next one", arguments: StoreKind.allCases)
  func afterFailure(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let wrong = Note(context: stack.context)
    #expect(throws: NSError.self) { try stack.context.save() }
    stack.note("right")
    wrong.title = "mended"
    try stack.save()
    #expect(try stack.context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 2)
  }

  @Test(
    "hasPersistentChangedValues is false for a value that was set to its old value",
    arguments: StoreKind.allCases
  )
  func sameValue(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    note.title = "one"
    #expect(!note.hasPersistentChangedValues)
    note.title = "two"
    #expect(note.hasPersistentChangedValues)
    try stack.save()
    #expect(!note.hasPersistentChangedValues)
  }

  @Test("another context can change and save a saved object", arguments: StoreKind.allCases)
  func otherContext(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    let other = stack.sibling()
    let theirs = try #require(try stack.fetch(Note.self, in: other).first)
    theirs.title = "two"
    try other.save()
    #expect(try stack.fetch(Note.self, in: stack.sibling()).map(\.title) == ["two"])
  }

  @Test("sibling contexts do not see each other's unsaved objects", arguments: StoreKind.allCases)
  func unsavedElsewhere(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("mine")
    let other = stack.sibling()
    #expect(try stack.fetch(Note.self, in: other).isEmpty)
    try stack.context.save()
    #expect(try stack.fetch(Note.self, in: other).map(\.title) == ["mine"])
  }

  @Test("an object that another context deleted is not found any more", arguments: StoreKind.allCases)
  func deletedElsewhere(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    let other = stack.sibling()
    other.delete(try #require(try stack.fetch(Note.self, in: other).first))
    try other.save()
    #expect(try stack.fetch(Note.self).isEmpty)
    #expect(try stack.context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 0)
  }

  @Test(
    "insertedObjects, updatedObjects and deletedObjects are empty after a save",
    arguments: StoreKind.allCases
  )
  func emptySets(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (one, two) = (stack.note("one"), stack.note("two"))
    try stack.save()
    one.rating = 1
    stack.context.delete(two)
    stack.note("three")
    try stack.context.save()
    #expect(stack.context.insertedObjects.isEmpty && stack.context.updatedObjects.isEmpty)
    #expect(stack.context.deletedObjects.isEmpty)
  }

  @Test("objects of several entities are saved with what relates them", arguments: StoreKind.allCases)
  func severalEntities(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    for number in 0..<20 { stack.note("\(number)", category, tags: [stack.tag("\(number % 3)")]) }
    try stack.save()
    let saved = try #require(try stack.fetch(Category.self, in: stack.newContext()).first)
    #expect(saved.notes.count == 20)
    #expect(saved.notes.allSatisfy { $0.tags.count == 1 && $0.category === saved })
  }

  @Test("a context can be used after a reset as a new one", arguments: StoreKind.allCases)
  func afterReset(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    stack.context.reset()
    let note = try #require(try stack.fetch(Note.self).first)
    note.title = "two"
    stack.note("three")
    try stack.save()
    let titles = try stack.fetch(Note.self, sort: [.byTitle], in: stack.newContext()).map(\.title)
    #expect(titles == ["three", "two"])
  }
}
