import CoreData
import Foundation
import TestSupport
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

  @Test(
    "a mutable ordered set that is requested again for each change behaves like a plain one",
    arguments: StoreKind.storesAndChildren
  )
  func positions(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    let plain = NSMutableOrderedSet()
    var generator = SplitMix(seed: 3)
    for step in 0..<500 {
      let set = note.mutableOrderedSetValue(forKey: "pages")
      let count = plain.count
      let place = [0, count, Int.random(in: 0...count, using: &generator)][step % 3]
      switch Int.random(in: 0..<9, using: &generator) {
      case 0 where place < count:
        set.removeObject(at: place)
        plain.removeObject(at: place)
      case 1 where place < count:
        set.exchangeObject(at: place, withObjectAt: count - 1 - place)
        plain.exchangeObject(at: place, withObjectAt: count - 1 - place)
      case 2 where place < count:
        let page = Page(context: stack.context)
        set.replaceObject(at: place, with: page)
        plain.replaceObject(at: place, with: page)
      case 3 where place < count:
        set.moveObjects(at: IndexSet(integer: place), to: 0)
        plain.moveObjects(at: IndexSet(integer: place), to: 0)
      case 4 where step.isMultiple(of: 7): try stack.save()
      default:
        let page = Page(context: stack.context)
        set.insert(page, at: place)
        plain.insert(page, at: place)
      }
      #expect(set.firstObject as? Page === plain.firstObject as? Page, "step \(step)")
      #expect(set.count == plain.count, "step \(step)")
      guard step.isMultiple(of: 25) else { continue }
      #expect(set.map { $0 as? Page } == plain.map { $0 as? Page }, "step \(step)")
      #expect(note.pages.array as? [Page] == plain.array as? [Page], "step \(step)")
    }
    try stack.save()
    stack.context.refreshAllObjects()
    #expect(note.pages.array as? [Page] == plain.array as? [Page])
  }

  @Test("a mutable ordered set is released when changes are saved or reset", arguments: [true, false])
  func released(_ isSaved: Bool) throws {
    let (stack, note, _) = try pages(.sqlite)
    weak var set: NSMutableOrderedSet?
    for _ in 0..<2 {
      let held = note.mutableOrderedSetValue(forKey: "pages")
      held.exchangeObject(at: 0, withObjectAt: 2)
      held.exchangeObject(at: 0, withObjectAt: 1)
      set = held
    }
    #expect(set != nil)
    if isSaved { try stack.save() } else { stack.context.rollback() }
    #expect(set == nil)
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
