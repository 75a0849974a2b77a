import CoreData
import Foundation
import Testing

@Suite("Key-value coding")
struct KeyValueCodingTests {
  @Test("numbers and booleans are NSNumber, which casts to any type of number", arguments: StoreKind.allCases)
  func numbers(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", rating: 4)
    note.setValue(true, forKey: "isPinned")
    #expect(note.value(forKey: "rating") is NSNumber)
    #expect(note.value(forKey: "rating") as? Int == 4)
    #expect(note.value(forKey: "rating") as? Int16 == 4)
    #expect(note.value(forKey: "rating") as? Double == 4)
    #expect(note.value(forKey: "isPinned") as? Bool == true)
  }

  @Test("a number may be set as any type of number", arguments: StoreKind.allCases)
  func settingNumbers(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    for value in [5 as Int, Int16(5), UInt8(5), NSNumber(value: 5)] as [Any] {
      note.rating = 0
      note.setValue(value, forKey: "rating")
      #expect(note.rating == 5)
    }
  }

  @Test("nil and NSNull take a value away", arguments: StoreKind.allCases)
  func null(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    note.setValue(nil, forKey: "title")
    #expect(note.value(forKey: "title") == nil)
    note.title = "two"
    note.setValue(NSNull(), forKey: "title")
    #expect(note.title == nil)
  }

  @Test("a subscript reads and sets values by key", arguments: StoreKind.allCases)
  func subscripts(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    note["title"] = "two"
    note["rating"] = 8
    #expect(note["title"] as? String == "two")
    #expect(note.rating == 8)
    note["title"] = nil
    #expect(note.title == nil)
  }

  @Test("a to-one relationship is a managed object, a to-many one an NSSet", arguments: StoreKind.allCases)
  func relationships(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", stack.category("c"), tags: [stack.tag("t")])
    #expect(note.value(forKey: "category") is Category)
    #expect((note.value(forKey: "tags") as? NSSet)?.count == 1)
    #expect(note.value(forKey: "tags") is Set<Tag>)
    #expect(note.value(forKey: "pages") is NSOrderedSet)
  }

  @Test("a relationship can be set by key, and its inverse is set with it", arguments: StoreKind.allCases)
  func settingRelationships(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, category, tag) = (stack.note("one"), stack.category("c"), stack.tag("t"))
    note.setValue(category, forKey: "category")
    note.setValue(NSSet(object: tag), forKey: "tags")
    #expect(category.notes == [note] && tag.notes == [note])
    note.setValue(nil, forKey: "category")
    note.setValue(Set<Tag>(), forKey: "tags")
    #expect(category.notes.isEmpty && tag.notes.isEmpty)
  }

  @Test("a key path leads across relationships", arguments: StoreKind.allCases)
  func keyPath(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", stack.category("c"))
    #expect(note.value(forKeyPath: "category.name") as? String == "c")
    #expect(note.value(forKeyPath: "category.badge.color") == nil)
    note.setValue("d", forKeyPath: "category.name")
    #expect(note.category?.name == "d")
  }

  @Test("a key path across a to-many relationship collects the values", arguments: StoreKind.allCases)
  func collected(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", tags: [stack.tag("a"), stack.tag("b")])
    #expect(note.value(forKeyPath: "tags.name") as? Set<String> == ["a", "b"])
  }

  @Test("a key path can count, add and compare", arguments: StoreKind.allCases)
  func operators(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    for (title, rating) in [("a", 1), ("b", 2), ("c", 6)] {
      stack.note(title, rating: Int64(rating), category)
    }
    #expect(category.value(forKeyPath: "notes.@count") as? Int == 3)
    #expect(category.value(forKeyPath: "notes.@sum.rating") as? Int == 9)
    #expect(category.value(forKeyPath: "notes.@avg.rating") as? Double == 3)
    #expect(category.value(forKeyPath: "notes.@max.rating") as? Int == 6)
    #expect(category.value(forKeyPath: "notes.@min.title") as? String == "a")
  }

  @Test("dictionaryWithValues has NSNull for a missing value", arguments: StoreKind.allCases)
  func dictionary(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let values = stack.note("one").dictionaryWithValues(forKeys: ["title", "rating", "createdAt"])
    #expect(values["title"] as? String == "one")
    #expect(values["rating"] as? Int == 3)
    #expect(values["createdAt"] is NSNull)
  }

  @Test("setValuesForKeys sets several values, NSNull taking them away", arguments: StoreKind.allCases)
  func setValues(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    note.createdAt = Date()
    note.setValuesForKeys(["title": "two", "rating": 9, "createdAt": NSNull()])
    #expect(note.title == "two" && note.rating == 9 && note.createdAt == nil)
  }

  @Test("mutableSetValue changes the relationship and its inverse", arguments: StoreKind.allCases)
  func mutableSet(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, tag, other) = (stack.note("one"), stack.tag("t"), stack.tag("u"))
    let tags = note.mutableSetValue(forKey: "tags")
    tags.add(tag)
    #expect(note.tags == [tag] && tag.notes == [note])
    tags.addObjects(from: [other])
    #expect(tags.count == 2 && tags.contains(other))
    tags.remove(tag)
    #expect(note.tags == [other] && tag.notes.isEmpty)
    tags.removeAllObjects()
    #expect(note.tags.isEmpty && other.notes.isEmpty)
  }

  @Test("mutableSetValue shows later changes by other means", arguments: StoreKind.allCases)
  func mutableSetIsLive(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, tag) = (stack.note("one"), stack.tag("t"))
    let tags = note.mutableSetValue(forKey: "tags")
    tag.notes = [note]
    #expect(tags.count == 1)
    note.tags = []
    #expect(tags.count == 0)
  }

  @Test("what mutableSetValue changes is saved", arguments: StoreKind.allCases)
  func mutableSetIsSaved(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", tags: [stack.tag("a")])
    try stack.save()
    note.mutableSetValue(forKey: "tags").add(stack.tag("b"))
    #expect(note.isUpdated)
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(saved.tags.compactMap(\.name).sorted() == ["a", "b"])
  }

  @Test("mutableOrderedSetValue changes the order, and both sides", arguments: StoreKind.allCases)
  func mutableOrderedSet(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    let pages = (0..<3).map { number -> Page in
      let page = Page(context: stack.context)
      page.number = Int16(number)
      return page
    }
    let ordered = note.mutableOrderedSetValue(forKey: "pages")
    ordered.addObjects(from: pages)
    #expect(pages.allSatisfy { $0.note === note })
    ordered.exchangeObject(at: 0, withObjectAt: 2)
    #expect(note.pages.array as? [Page] == pages.reversed())
    ordered.removeObject(at: 1)
    #expect(pages[1].note == nil)
    ordered.insert(pages[1], at: 0)
    #expect(note.pages.array as? [Page] == [pages[1], pages[2], pages[0]])
    ordered.replaceObject(at: 0, with: Page(context: stack.context))
    #expect(pages[1].note == nil && ordered.count == 3)
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect((saved.pages.array as? [Page])?.suffix(2).map(\.number) == [2, 0])
  }

  @Test("setValue on a mutable ordered set keeps an object once", arguments: StoreKind.allCases)
  func orderedOnce(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, page) = (stack.note("one"), Page(context: stack.context))
    let ordered = note.mutableOrderedSetValue(forKey: "pages")
    ordered.add(page)
    ordered.add(page)
    #expect(ordered.count == 1 && ordered.index(of: page) == 0)
  }

  @Test("a key that the entity does not have stops the program, and is named")
  func unknownKey() async {
    await #expect(processExitsWith: .failure) {
      let stack = try Stack(.inMemory)
      _ = stack.note("one").value(forKey: "nothing")
    }
  }

  @Test("a value of the wrong type stops the program")
  func wrongType() async {
    await #expect(processExitsWith: .failure) {
      let stack = try Stack(.inMemory)
      stack.note("one").setValue("text", forKey: "createdAt")
    }
  }

  @Test(
    "change notifications in a custom accessor mark the object as changed",
    arguments: StoreKind.allCases
  )
  func customAccessor(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, tag) = (stack.note("one"), stack.tag("t"))
    try stack.save()
    note.willChangeValue(forKey: "tags", withSetMutation: .union, using: [tag])
    note.didChangeValue(forKey: "tags", withSetMutation: .union, using: [tag])
    #expect(note.hasChanges)
    #expect(note.changedValues().isEmpty)
  }

  @Test(
    "index change notifications of an ordered relationship mark the object as changed",
    arguments: StoreKind.allCases
  )
  func valuesAtIndexes(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    let page = Page(context: stack.context)
    try stack.save()
    let indexes = IndexSet(integer: 0)
    note.willChange(.insertion, valuesAt: indexes, forKey: "pages")
    note.setPrimitiveValue(NSOrderedSet(object: page), forKey: "pages")
    note.didChange(.insertion, valuesAt: indexes, forKey: "pages")
    #expect(note.hasChanges && note.changedValues().keys.contains("pages"))
    #expect(note.pages.array as? [Page] == [page])
  }

  @Test("a path through an ordered relationship gives an ordered set", arguments: StoreKind.allCases)
  func orderedPath(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    let pages = [3, 1, 2].map { number -> Page in
      let page = Page(context: stack.context)
      page.number = Int16(number)
      return page
    }
    note.pages = NSOrderedSet(array: pages)
    try stack.save()
    let numbers = try #require(note.value(forKeyPath: "pages.number") as? NSOrderedSet)
    #expect(numbers.array.map { ($0 as? NSNumber)?.intValue } == [3, 1, 2])
  }

  @Test("a calculated value is a number that casts to Swift's types", arguments: StoreKind.allCases)
  func calculated(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", rating: 4)
    note.tags = [stack.tag("x"), stack.tag("y")]
    let count = note.value(forKeyPath: "tags.@count")
    #expect(count as? Int == 2 && count as? Double == 2 && count is NSNumber)
  }
}
