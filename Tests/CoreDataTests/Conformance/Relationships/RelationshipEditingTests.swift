import CoreData
import Foundation
import Testing

@Suite("Editing relationships")
struct RelationshipEditingTests {
  /// A note with three pages.
  private func pages(_ kind: StoreKind) throws -> (Stack, Note, [Page]) {
    let stack = try Stack(kind)
    let note = stack.note("one")
    let pages = (0..<3).map { number in
      let page = Page(context: stack.context)
      page.number = Int16(number)
      page.note = note
      return page
    }
    return (stack, note, pages)
  }

  @Test(
    "setting the to-one side puts the object at the end of an ordered inverse",
    arguments: StoreKind.allCases
  )
  func appended(_ kind: StoreKind) throws {
    let (stack, note, pages) = try pages(kind)
    #expect(note.pages.array as? [Page] == pages)
    try stack.save()
    let last = Page(context: stack.context)
    last.note = note
    #expect(note.pages.lastObject as? Page === last)
  }

  @Test("an object that moves to another owner leaves the order of the first", arguments: StoreKind.allCases)
  func moved(_ kind: StoreKind) throws {
    let (stack, note, pages) = try pages(kind)
    try stack.save()
    let other = stack.note("other")
    pages[1].note = other
    #expect(note.pages.array as? [Page] == [pages[0], pages[2]])
    #expect(other.pages.array as? [Page] == [pages[1]])
    try stack.save()
    let saved = try stack.fetch(Note.self, sort: [.byTitle], in: stack.newContext())
    #expect(saved.map { $0.pages.compactMap { ($0 as? Page)?.number } } == [[0, 2], [1]])
  }

  @Test("an order that is moved about in a mutable ordered set is saved", arguments: StoreKind.allCases)
  func reordered(_ kind: StoreKind) throws {
    let (stack, note, _) = try pages(kind)
    try stack.save()
    let ordered = note.mutableOrderedSetValue(forKey: "pages")
    ordered.moveObjects(at: IndexSet(integer: 0), to: 2)
    #expect((note.pages.array as? [Page])?.map(\.number) == [1, 2, 0])
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect((saved.pages.array as? [Page])?.map(\.number) == [1, 2, 0])
  }

  @Test("mutableSetValue minus, union and intersection change both sides", arguments: StoreKind.allCases)
  func setAlgebra(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let tags = ["a", "b", "c"].map(stack.tag)
    let note = stack.note("one", tags: [tags[0], tags[1]])
    let set = note.mutableSetValue(forKey: "tags")
    set.minus([tags[0]])
    #expect(note.tags == [tags[1]] && tags[0].notes.isEmpty)
    set.union([tags[0], tags[2]])
    #expect(note.tags == Set(tags) && tags[2].notes == [note])
    set.intersect([tags[2]])
    #expect(note.tags == [tags[2]] && tags[0].notes.isEmpty && tags[1].notes.isEmpty)
    set.setSet([tags[1]])
    #expect(note.tags == [tags[1]] && tags[2].notes.isEmpty)
  }

  @Test(
    "a set that is assigned takes the place of the one before, on both sides",
    arguments: StoreKind.allCases
  )
  func replaced(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let tags = ["a", "b"].map(stack.tag)
    let note = stack.note("one", tags: [tags[0]])
    try stack.save()
    note.tags = [tags[1]]
    #expect(tags[0].notes.isEmpty && tags[1].notes == [note])
    try stack.save()
    let saved = try stack.fetch(Tag.self, sort: [.byName], in: stack.newContext())
    #expect(saved.map(\.notes.count) == [0, 1])
  }

  @Test("a set that was read is a value: it does not follow later changes", arguments: StoreKind.allCases)
  func snapshot(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (one, two) = (stack.tag("a"), stack.tag("b"))
    let note = stack.note("one", tags: [one])
    let before = note.tags
    note.tags.insert(two)
    #expect(before == [one] && note.tags == [one, two])
  }

  @Test("an object is put into a to-many relationship once", arguments: StoreKind.allCases)
  func once(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, tag) = (stack.note("one"), stack.tag("t"))
    let set = note.mutableSetValue(forKey: "tags")
    set.add(tag)
    set.add(tag)
    tag.mutableSetValue(forKey: "notes").add(note)
    #expect(note.tags.count == 1 && tag.notes.count == 1)
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).first?.tags.count == 1)
  }

  @Test(
    "a relationship that is taken away is taken away on the other side, and saved so",
    arguments: StoreKind.allCases
  )
  func takenAway(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let note = stack.note("one", category)
    try stack.save()
    note.category = nil
    #expect(category.notes.isEmpty)
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).first?.category == nil)
    #expect(try stack.fetch(Category.self, in: stack.newContext()).first?.notes.isEmpty == true)
  }

  @Test(
    "objects that were related before they were saved are related after it",
    arguments: StoreKind.allCases
  )
  func unsaved(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (category, badge) = (stack.category("c"), Badge(context: stack.context))
    category.badge = badge
    stack.note("one", category, tags: [stack.tag("t")])
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(saved.category?.badge?.category === saved.category)
    #expect(saved.tags.first?.notes == [saved])
  }

  @Test("adding to a faulted relationship keeps stored objects", arguments: StoreKind.allCases)
  func addedToFault(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    stack.note("one", category)
    try stack.save()
    stack.context.reset()
    let same = try #require(try stack.fetch(Category.self).first)
    let new = stack.note("two", same)
    #expect(Set(same.notes.compactMap(\.title)) == ["one", "two"] && same.notes.contains(new))
    try stack.save()
    #expect(try stack.fetch(Category.self, in: stack.newContext()).first?.notes.count == 2)
  }

  @Test("a chain of one-to-one relationships keeps one partner for each", arguments: StoreKind.allCases)
  func partners(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (one, two) = (stack.category("1"), stack.category("2"))
    let (first, second) = (Badge(context: stack.context), Badge(context: stack.context))
    one.badge = first
    two.badge = second
    try stack.save()
    one.badge = second
    #expect(two.badge == nil && first.category == nil && second.category === one)
    try stack.save()
    let saved = try stack.fetch(Category.self, sort: [.byName], in: stack.newContext())
    #expect(saved[0].badge != nil && saved[1].badge == nil)
  }
}
