import CoreData
import Foundation
import Testing

@Suite("Changed and committed values")
struct ChangedValuesTests {
  private func saved(_ kind: StoreKind) throws -> (Stack, Note) {
    let stack = try Stack(kind)
    let note = stack.note("one", stack.category("c"), tags: [stack.tag("t")])
    try stack.save()
    return (stack, note)
  }

  @Test(
    "an ordered relationship has the order that was saved as its committed value",
    arguments: StoreKind.allCases
  )
  func committedOrder(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", nil, tags: [])
    let pages = (0..<3).map { number in
      let page = NSEntityDescription.insertNewObject(forEntityName: "Page", into: stack.context)
      page.setValue(number, forKey: "number")
      return page
    }
    note.setValue(NSOrderedSet(array: [pages[0], pages[1]]), forKey: "pages")
    try stack.save()
    for isRefetched in [false, true] {
      if isRefetched { stack.context.refreshAllObjects() }
      note.setValue(NSOrderedSet(array: [pages[2], pages[1], pages[0]]), forKey: "pages")
      note.setValue(NSOrderedSet(array: [pages[2], pages[0]]), forKey: "pages")
      let committed = note.committedValues(forKeys: ["pages"])["pages"] as? NSOrderedSet
      #expect(committed?.array as? [NSManagedObject] == [pages[0], pages[1]])
      stack.context.rollback()
      #expect(
        (note.value(forKey: "pages") as? NSOrderedSet)?.array as? [NSManagedObject] == [pages[0], pages[1]]
      )
    }
    note.setValue(NSOrderedSet(array: [pages[1], pages[0]]), forKey: "pages")
    try stack.save()
    note.setValue(NSOrderedSet(), forKey: "pages")
    let committed = note.committedValues(forKeys: ["pages"])["pages"] as? NSOrderedSet
    #expect(committed?.array as? [NSManagedObject] == [pages[1], pages[0]])
  }

  @Test("changedValues are empty after a save", arguments: StoreKind.allCases)
  func afterSave(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    defer { withExtendedLifetime(stack) {} }
    #expect(note.changedValues().isEmpty)
    #expect(!note.hasPersistentChangedValues)
  }

  @Test("changedValues have the new values", arguments: StoreKind.allCases)
  func newValues(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    defer { withExtendedLifetime(stack) {} }
    note.title = "two"
    note.rating = 9
    let changed = note.changedValues()
    #expect(changed.keys.sorted() == ["rating", "title"])
    #expect(changed["title"] as? String == "two")
    #expect(changed["rating"] as? Int64 == 9)
    #expect(note.hasPersistentChangedValues)
  }

  @Test("a value that was taken away is NSNull in changedValues", arguments: StoreKind.allCases)
  func takenAway(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    defer { withExtendedLifetime(stack) {} }
    note.title = nil
    #expect(note.changedValues()["title"] is NSNull)
  }

  @Test("a value that was set back is not a change", arguments: StoreKind.allCases)
  func setBack(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    defer { withExtendedLifetime(stack) {} }
    note.title = "two"
    note.title = "one"
    #expect(note.changedValues().isEmpty)
    #expect(!note.hasPersistentChangedValues)
    #expect(note.hasChanges)
  }

  @Test("changedValues leave transient properties out", arguments: StoreKind.allCases)
  func transient(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    defer { withExtendedLifetime(stack) {} }
    note.setValue("draft", forKey: "draft")
    #expect(note.changedValues().isEmpty)
    #expect(note.hasChanges)
    #expect(!note.hasPersistentChangedValues)
  }

  @Test("changedValues of a new object contains all of its values", arguments: StoreKind.allCases)
  func ofNew(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("new")
    note.setValue("draft", forKey: "draft")
    #expect(note.changedValues().keys.sorted() == ["rating", "title"])
    #expect(note.hasPersistentChangedValues)
  }

  @Test("changedValues name relationships", arguments: StoreKind.allCases)
  func relationships(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.category = nil
    note.tags.insert(stack.tag("u"))
    let changed = note.changedValues()
    #expect(changed.keys.sorted() == ["category", "tags"])
    #expect(changed["category"] is NSNull)
    #expect((changed["tags"] as? NSSet)?.count == 2)
  }

  @Test("a change of one side is a change of the other", arguments: StoreKind.allCases)
  func inverse(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    let category = try #require(note.category)
    note.category = nil
    #expect(category.changedValues().keys.sorted() == ["notes"])
    #expect(stack.context.updatedObjects == [note, category])
  }

  @Test("changedValues fire no relationship fault", arguments: StoreKind.allCases)
  func noFaults(_ kind: StoreKind) throws {
    let (stack, _) = try saved(kind)
    let note = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    note.rating = 8
    _ = note.changedValues()
    #expect(note.hasFault(forRelationshipNamed: "tags"))
    #expect(note.hasFault(forRelationshipNamed: "category"))
  }

  @Test("committedValues contains the values of the last save", arguments: StoreKind.allCases)
  func committed(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    defer { withExtendedLifetime(stack) {} }
    note.title = "two"
    note.createdAt = Date()
    let committed = note.committedValues(forKeys: ["title", "createdAt", "rating"])
    #expect(committed["title"] as? String == "one")
    #expect(committed["createdAt"] is NSNull)
    #expect(committed["rating"] as? Int64 == 3)
  }

  @Test("committedValues without keys contains all persistent properties", arguments: StoreKind.allCases)
  func committedForAll(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    defer { withExtendedLifetime(stack) {} }
    note.setValue("draft", forKey: "draft")
    let keys = Set(note.committedValues(forKeys: nil).keys)
    #expect(keys == Set(note.entity.propertiesByName.keys).subtracting(["draft"]))
  }

  @Test("a new object has no committedValues, not even null", arguments: StoreKind.allCases)
  func committedOfNew(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("new")
    #expect(note.committedValues(forKeys: ["title", "rating"]).isEmpty)
    #expect(note.committedValues(forKeys: nil).isEmpty)
    try stack.context.save()
    #expect(note.committedValues(forKeys: ["title"])["title"] as? String == "new")
  }

  @Test("committedValues have the destinations of the last save", arguments: StoreKind.allCases)
  func committedRelationships(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    let (tag, category) = (try #require(note.tags.first), note.category)
    note.tags = [stack.tag("u"), stack.tag("v")]
    note.category = stack.category("d")
    let committed = note.committedValues(forKeys: ["tags", "category"])
    #expect(committed["tags"] as? Set<Tag> == [tag])
    #expect(committed["category"] as? Category === category)
  }

  @Test("committedValues take an unknown key for no key", arguments: StoreKind.allCases)
  func unknownKey(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    defer { withExtendedLifetime(stack) {} }
    #expect(note.committedValues(forKeys: ["nothing"]).isEmpty)
  }

  @Test(
    "changedValuesForCurrentEvent are those since changes were last processed",
    arguments: StoreKind.allCases
  )
  func currentEvent(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.title = "two"
    #expect(note.changedValuesForCurrentEvent()["title"] as? String == "one")
    stack.context.processPendingChanges()
    #expect(note.changedValuesForCurrentEvent().isEmpty)
    note.rating = 9
    #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["rating"])
    #expect(note.changedValues().keys.sorted() == ["rating", "title"])
  }

  @Test(
    "changedValuesForCurrentEvent have the values before the event, of attributes and of relationships",
    arguments: StoreKind.allCases
  )
  func valuesBeforeEvent(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    let (tags, category) = (note.tags, try #require(note.category))
    note.title = "two"
    stack.context.processPendingChanges()
    note.title = "three"
    note.tags = [stack.tag("other")]
    note.category = nil
    note.createdAt = Date()
    let page = Page(context: stack.context)
    note.pages = [page]
    let values = note.changedValuesForCurrentEvent()
    #expect(values["title"] as? String == "two")
    #expect(values["tags"] as? Set<Tag> == tags)
    #expect(values["category"] as? Category === category)
    #expect(values["createdAt"] is NSNull)
    #expect((values["pages"] as? NSOrderedSet)?.count == 0)
    let notes = category.changedValuesForCurrentEvent()["notes"] as? Set<Note>
    #expect(notes == [note])
  }

  @Test(
    "changedValuesForCurrentEvent leave out a value that was set back in the event",
    arguments: StoreKind.allCases
  )
  func setBackInEvent(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.title = "two"
    stack.context.processPendingChanges()
    note.title = "three"
    note.title = "two"
    #expect(note.changedValuesForCurrentEvent().isEmpty)
  }

  @Test(
    "changedValuesForCurrentEvent name a value that the event set back to the saved one",
    arguments: StoreKind.allCases
  )
  func backToSaved(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.title = "two"
    stack.context.processPendingChanges()
    note.title = "one"
    #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["title"])
    #expect(note.changedValues().isEmpty)
  }

  @Test("observers of the event see its changes", arguments: StoreKind.allCases)
  func observers(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    let box = KeysBox(note)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange,
      object: stack.context,
      queue: nil
    ) { _ in box.keys = box.note.changedValuesForCurrentEvent().keys.sorted() }
    defer { NotificationCenter.default.removeObserver(observer) }
    note.rating = 1
    stack.context.processPendingChanges()
    #expect(box.keys == ["rating"])
  }

  @Test("changedValuesForCurrentEvent name relationships", arguments: StoreKind.allCases)
  func relationshipsInEvent(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.tags = []
    #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["tags"])
    stack.context.processPendingChanges()
    #expect(note.changedValuesForCurrentEvent().isEmpty)
    note.category = nil
    #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["category"])
  }

  @Test(
    "changedValuesForCurrentEvent of an object inserted in the event are all that it has",
    arguments: StoreKind.allCases
  )
  func insertedInEvent(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("new")
    #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["rating", "title"])
    #expect(note.changedValuesForCurrentEvent().values.allSatisfy { $0 is NSNull })
    stack.context.processPendingChanges()
    note.rating = 4
    #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["rating"])
  }

  @Test("setting a primitive value alone is not a change", arguments: StoreKind.allCases)
  func primitive(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.setPrimitiveValue("two", forKey: "title")
    #expect(!note.hasChanges && !note.hasPersistentChangedValues)
    #expect(note.changedValues().isEmpty)
    #expect(!stack.context.hasChanges)
    #expect(note.title == "two")
  }

  @Test("a primitive value between will- and didChangeValue is a change", arguments: StoreKind.allCases)
  func primitiveChange(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.willChangeValue(forKey: "title")
    note.setPrimitiveValue("two", forKey: "title")
    note.didChangeValue(forKey: "title")
    #expect(note.isUpdated)
    #expect(note.changedValues()["title"] as? String == "two")
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).first?.title == "two")
  }

  @Test("the primitive value of a fault is nil", arguments: StoreKind.allCases)
  func primitiveOfFault(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    stack.context.refresh(note, mergeChanges: false)
    #expect(note.primitiveValue(forKey: "title") == nil)
    #expect(note.isFault)
  }
}

private final class KeysBox: @unchecked Sendable {
  let note: Note
  var keys: [String] = []

  init(_ note: Note) { self.note = note }
}
