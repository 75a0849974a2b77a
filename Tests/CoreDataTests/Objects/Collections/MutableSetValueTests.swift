import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Mutable sets of relationships")
struct MutableSetValueTests {
  /// A saved note with three pages.
  private func pages(_ kind: StoreKind) throws -> (Stack, Note, [Page]) {
    let stack = try Stack(kind)
    let note = stack.note("one")
    let pages = (0..<3).map { number in
      let page = Page(context: stack.context)
      page.number = Int16(number)
      page.note = note
      return page
    }
    try stack.save()
    return (stack, note, pages)
  }

  @Test(
    "a mutable ordered set that is assigned to its own relationship keeps the objects",
    arguments: StoreKind.storesAndChildren
  )
  func assigned(_ kind: StoreKind) throws {
    let (stack, note, _) = try pages(kind)
    let set = note.mutableOrderedSetValue(forKey: "pages")
    let page = Page(context: stack.context)
    page.number = 3
    set.add(page)
    note.setValue(set, forKey: "pages")
    try stack.save()
    stack.context.refreshAllObjects()
    #expect((note.pages.array as? [Page])?.map(\.number) == [0, 1, 2, 3])
  }

  @Test("a mutable copy of a mutable ordered set has the objects", arguments: StoreKind.storesAndChildren)
  func copied(_ kind: StoreKind) throws {
    let (stack, note, pages) = try pages(kind)
    let copy = try #require(
      note.mutableOrderedSetValue(forKey: "pages").mutableCopy() as? NSMutableOrderedSet
    )
    copy.removeObject(at: 0)
    #expect(note.pages.count == 3)
    note.setValue(copy, forKey: "pages")
    #expect(note.pages.array as? [Page] == [pages[1], pages[2]])
    try stack.save()
  }

  @Test("a mutable ordered set shows what changes elsewhere", arguments: StoreKind.storesAndChildren)
  func followed(_ kind: StoreKind) throws {
    let (stack, note, pages) = try pages(kind)
    let set = note.mutableOrderedSetValue(forKey: "pages")
    #expect(set === note.mutableOrderedSetValue(forKey: "pages"))
    pages[0].note = nil
    #expect(set.firstObject as? Page === pages[1] && set.lastObject as? Page === pages[2])
    note.pages = [pages[2], pages[0]]
    #expect(set.map { ($0 as? Page)?.number } == [2, 0])
    stack.context.rollback()
    #expect(set.map { ($0 as? Page)?.number } == [0, 1, 2])
    stack.context.delete(pages[1])
    try stack.save()
    #expect(set.reversed.array as? [Page] == [pages[2], pages[0]])
  }

  @Test(
    "a mutable ordered set shows what another context saved, after a refresh",
    arguments: [StoreKind.sqlite]
  )
  func refreshed(_ kind: StoreKind) throws {
    let (stack, note, pages) = try pages(kind)
    let set = note.mutableOrderedSetValue(forKey: "pages")
    let other = stack.newContext()
    let same = try #require(try other.existingObject(with: note.objectID) as? Note)
    same.mutableOrderedSetValue(forKey: "pages").exchangeObject(at: 0, withObjectAt: 2)
    try other.save()
    stack.context.refresh(note, mergeChanges: true)
    #expect(set.firstObject as? Page === pages[2])
    #expect(set.objectEnumerator().allObjects as? [Page] == [pages[2], pages[1], pages[0]])
  }

  @Test("an ordered set takes itself as an argument", arguments: StoreKind.storesAndChildren)
  func itself(_ kind: StoreKind) throws {
    let (stack, note, pages) = try pages(kind)
    let set = note.mutableOrderedSetValue(forKey: "pages")
    set.union(set)
    set.intersect(set)
    #expect(set.array as? [Page] == pages && set.isEqual(set))
    set.minus(set)
    #expect(set.count == 0 && note.pages.count == 0)
    try stack.save()
  }

  @Test("a mutable set prints, compares and copies as a plain one", arguments: StoreKind.storesAndChildren)
  func printed(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", tags: [stack.tag("a")])
    let set = note.mutableSetValue(forKey: "tags")
    #expect("\(set)" == "\(NSSet(array: Array(note.tags)))")
    #expect(set.isEqual(note.mutableSetValue(forKey: "tags")) && set.isEqual(note.tags))
    #expect(set.copy() as? Set<Tag> == note.tags)
  }

  @Test(
    "an object of another entity is not taken out of a relationship for a destination with its key",
    arguments: StoreKind.storesAndChildren
  )
  func foreign(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", tags: [stack.tag("a")])
    let category = stack.category("c")
    try stack.save()
    stack.context.refreshAllObjects()
    note.mutableSetValue(forKey: "tags").remove(category)
    try stack.save()
    stack.context.refreshAllObjects()
    #expect(note.tags.map(\.name) == ["a"])
  }
}

@Suite("Properties of mutable set types")
struct MutableSetPropertyTests {
  @Test(
    "objects added through a property typed NSMutableSet are added",
    arguments: StoreKind.storesAndChildren
  )
  func set(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, tag) = (stack.note("one"), stack.tag("a"))
    let tags: NSMutableSet = note.managedValue("tags")
    tags.add(tag)
    #expect(note.tags == [tag] && tag.notes == [note])
    let optional: NSMutableSet? = note.managedValue("tags")
    optional?.remove(tag)
    #expect(note.tags.isEmpty)
  }

  @Test(
    "objects added through a property typed NSMutableOrderedSet are added",
    arguments: StoreKind.storesAndChildren
  )
  func orderedSet(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, page) = (stack.note("one"), Page(context: stack.context))
    let pages: NSMutableOrderedSet = note.managedValue("pages")
    pages.add(page)
    #expect(note.pages.array as? [Page] == [page] && page.note === note)
    note.setManagedValue(pages, "pages")
    #expect(note.pages.array as? [Page] == [page])
  }
}
