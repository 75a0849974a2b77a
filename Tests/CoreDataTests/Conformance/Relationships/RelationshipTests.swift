import CoreData
import Foundation
import Testing

@Suite("Relationships")
struct RelationshipTests {
  @Test("setting one side sets the other at once", arguments: StoreKind.allCases)
  func inverses(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (one, other) = (stack.category("one"), stack.category("other"))
    let note = stack.note("n", one)
    #expect(one.notes == [note])
    note.category = other
    #expect(one.notes.isEmpty)
    #expect(other.notes == [note])
    one.notes = [note]
    #expect(note.category === one)
    #expect(other.notes.isEmpty)
  }

  @Test("relationships are read back in both directions", arguments: StoreKind.allCases)
  func stored(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (swift, ios) = (stack.tag("swift"), stack.tag("ios"))
    let category = stack.category("c")
    stack.note("a", category, tags: [swift, ios])
    stack.note("b", category, tags: [swift])
    try stack.save()
    let context = stack.newContext()
    let notes = try stack.fetch(Note.self, sort: [.byTitle], in: context)
    #expect(notes.map { $0.tags.compactMap(\.name).sorted() } == [["ios", "swift"], ["swift"]])
    #expect(notes.allSatisfy { $0.category?.name == "c" })
    #expect(notes[0].category === notes[1].category)
    let tags = try stack.fetch(Tag.self, sort: [.byName], in: context)
    #expect(tags.map { $0.notes.compactMap(\.title).sorted() } == [["a"], ["a", "b"]])
    #expect(try stack.fetch(Category.self, in: context).first?.notes.count == 2)
  }

  @Test(
    "changes of a to-many relationship are saved, whichever side made them",
    arguments: StoreKind.allCases
  )
  func changed(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (swift, ios) = (stack.tag("swift"), stack.tag("ios"))
    let (a, b) = (stack.note("a", tags: [swift]), stack.note("b", tags: [swift]))
    try stack.save()
    a.tags = [ios]
    swift.notes.insert(a)
    swift.notes.remove(b)
    try stack.save()
    let notes = try stack.fetch(Note.self, sort: [.byTitle], in: stack.newContext())
    #expect(notes.map { $0.tags.compactMap(\.name).sorted() } == [["ios", "swift"], []])
  }

  @Test("a relationship that was not fetched yet can be changed", arguments: StoreKind.allCases)
  func unfetched(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    stack.note("a", category)
    try stack.save()
    let context = stack.newContext()
    let found = try #require(try stack.fetch(Category.self, in: context).first)
    let note = Note(context: context)
    note.title = "b"
    note.category = found
    #expect(found.hasFault(forRelationshipNamed: "notes"))
    #expect(found.notes.compactMap(\.title).sorted() == ["a", "b"])
    try context.save()
    #expect(try stack.fetch(Category.self, in: stack.newContext()).first?.notes.count == 2)
  }

  @Test("a one-to-one relationship leaves its former partner", arguments: StoreKind.allCases)
  func oneToOne(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (one, other) = (stack.category("one"), stack.category("other"))
    let badge = Badge(context: stack.context)
    one.badge = badge
    #expect(badge.category === one)
    other.badge = badge
    #expect(one.badge == nil)
    #expect(badge.category === other)
    try stack.save()
    let found = try #require(try stack.fetch(Badge.self, in: stack.newContext()).first)
    #expect(found.category?.name == "other")
    #expect(found.category?.badge === found)
  }

  @Test("an ordered relationship keeps its order", arguments: StoreKind.allCases)
  func ordered(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("n")
    let pages = (1...4).map { number in
      let page = Page(context: stack.context)
      page.number = Int16(number)
      return page
    }
    note.pages = NSOrderedSet(array: [pages[2], pages[0], pages[3]])
    try stack.save()
    let numbers = { (context: NSManagedObjectContext) in
      try stack.fetch(Note.self, in: context).first?.pages.array.compactMap { ($0 as? Page)?.number }
    }
    #expect(try numbers(stack.newContext()) == [3, 1, 4])
    let mutable = note.mutableOrderedSetValue(forKey: "pages")
    mutable.insert(pages[1], at: 1)
    mutable.remove(pages[0])
    try stack.save()
    #expect(try numbers(stack.newContext()) == [3, 2, 4])
    #expect(pages[0].note == nil)
    #expect(mutable.contains(pages[1]))
    #expect(mutable.index(of: pages[3]) == 2)
    mutable.removeAllObjects()
    mutable.addObjects(from: [pages[3], pages[0]])
    mutable.replaceObject(at: 0, with: pages[2])
    try stack.save()
    #expect(try numbers(stack.newContext()) == [3, 1])
  }

  @Test("mutableSetValue changes the relationship", arguments: StoreKind.allCases)
  func mutableSet(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (swift, ios) = (stack.tag("swift"), stack.tag("ios"))
    let note = stack.note("n", tags: [swift])
    let tags = note.mutableSetValue(forKey: "tags")
    tags.add(ios)
    tags.remove(swift)
    #expect(tags.count == 1)
    #expect(note.tags == [ios])
    #expect(swift.notes.isEmpty)
    #expect((note.value(forKey: "tags") as? Set<Tag>) == [ios])
    #expect((note.value(forKey: "tags") as? NSSet)?.count == 1)
  }

  @Test("a relationship can lead to an object of a subentity", arguments: StoreKind.allCases)
  func polymorphic(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let boss = Employee(context: stack.context)
    boss.name = "boss"
    let worker = Employee(context: stack.context)
    worker.name = "worker"
    worker.manager = boss
    let person = Person(context: stack.context)
    person.name = "person"
    boss.manager = person
    try stack.save()
    let context = stack.newContext()
    let employees = try stack.fetch(Employee.self, sort: [.byName], in: context)
    #expect(employees.map(\.name) == ["boss", "worker"])
    #expect(employees[1].manager === employees[0])
    #expect(employees[0].manager.map { type(of: $0) == Person.self } == true)
    #expect(try stack.fetch(Person.self, in: context).count == 3)
  }
}
