import CoreData
import Foundation
import Testing

@Suite("Going over saved objects")
struct EnumeratingTests {
  @Test(
    "enumerating in batches visits each object that matches the predicate once",
    arguments: [StoreKind.sqlite, .inMemory, .childOfSQLite]
  )
  func batches(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for number in 0..<25 { stack.note("note \(number)", rating: Int64(number % 5)) }
    try stack.save()
    let context = kind.isChild ? stack.context : stack.newContext()
    let (sizes, titles) = try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "rating > 0")
      var sizes: [Int] = []
      var titles: Set<String> = []
      try context.forEachBatch(of: request, size: 8) { objects in
        sizes.append(objects.count)
        titles.formUnion(objects.compactMap { $0.value(forKey: "title") as? String })
      }
      return (sizes, titles)
    }
    #expect(sizes == [8, 8, 4])
    #expect(titles.count == 20)
  }

  private func values(
    _ entity: String,
    _ attributes: [String],
    _ predicate: String? = nil,
    in context: NSManagedObjectContext
  ) throws -> [SavedValues] {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = predicate.map { NSPredicate(format: $0) }
      var found: [SavedValues] = []
      try context.forEachSavedValues(of: request, attributes: attributes) { found.append($0) }
      return found
    }
  }

  @Test("enumerating returns attribute values in the requested order", arguments: StoreKind.allCases)
  func savedValues(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let day = Date(timeIntervalSinceReferenceDate: 1000)
    for number in 0..<25 {
      let note = stack.note("note \(number)", rating: Int64(number % 5))
      if number == 7 { note.createdAt = day }
    }
    try stack.save()
    stack.note("never saved")
    let found = try values("Note", ["createdAt", "title", "rating"], "rating == 2", in: stack.newContext())
    #expect(found.count == 5 && found.allSatisfy { $0.entity.name == "Note" && $0.values.count == 3 })
    let seventh = try #require(found.first { $0.values[1] as? String == "note 7" })
    #expect(seventh.values[0] as? Date == day)
    #expect(seventh.values[2] as? Int == 2)
    #expect(found.count { $0.values[0] == nil } == 4)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "title == 'note 7'")
    let note = try #require(try stack.newContext().fetch(request).first)
    #expect(seventh.primaryKey == note.objectID.primaryKey)
    #expect(seventh.primaryKey == NSManagedObjectID.primaryKey(of: note))
  }

  @Test("enumerating reads each attribute by its type", arguments: StoreKind.allCases)
  func typedValues(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (day, identifier) = (Date(timeIntervalSinceReferenceDate: 1000.5), UUID())
    let note = stack.note("full", rating: 4)
    note.createdAt = day
    for (name, value) in [
      ("isPinned", true), ("ratio", 0.1), ("identifier", identifier), ("price", Decimal(25) / 10),
      ("body", Data([0, 1, 2])), ("small", -7),
    ] as [(String, Any)] { note.setValue(value, forKey: name) }
    stack.note("empty")
    try stack.save()
    let names = ["title", "rating", "createdAt", "isPinned", "ratio", "identifier", "price", "body", "small"]
    let found = try values("Note", names, in: stack.newContext())
    let full = try #require(found.first { $0.string(at: 0) == "full" })
    #expect(full.int64(at: 1) == 4 && full.int64(at: 8) == -7)
    #expect(full.date(at: 2) == day && full.bool(at: 3) == true)
    #expect(full.double(at: 4) == 0.1 && full.uuid(at: 5) == identifier)
    #expect(full.decimal(at: 6) == Decimal(25) / 10 && full.data(at: 7) == Data([0, 1, 2]))
    #expect(full.value(at: 1) as? Int == 4 && full.value(at: 2) as? Date == day)
    let empty = try #require(found.first { $0.string(at: 0) == "empty" })
    #expect(empty.date(at: 2) == nil && empty.bool(at: 3) == nil && empty.double(at: 4) == nil)
    #expect(empty.uuid(at: 5) == nil && empty.decimal(at: 6) == nil && empty.data(at: 7) == nil)
    #expect(empty.int64(at: 8) == nil && empty.value(at: 8) == nil)
  }

  @Test("enumerating finds each entity's values in its row", arguments: StoreKind.allCases)
  func entities(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    Person(context: stack.context).name = "person"
    Employee(context: stack.context).name = "employee"
    try stack.save()
    let found = try values("Person", ["name"], in: stack.newContext())
    let names = found.map { "\($0.entity.name ?? ""): \($0.values[0] as? String ?? "")" }
    #expect(names.sorted() == ["Employee: employee", "Person: person"])
  }

  @Test(
    "enumerating creates no objects, and returns no objects with only some values",
    arguments: StoreKind.storesAndChildren
  )
  func wholeObjects(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("a", rating: 4, stack.category("c"))
    try stack.save()
    let context = stack.sibling()
    #expect(try values("Note", ["title"], in: context).count == 1)
    try context.performAndWait {
      #expect(context.registeredObjects.isEmpty)
      let note = try #require(try stack.fetch(Note.self, in: context).first)
      #expect(note.rating == 4 && note.category?.name == "c")
    }
  }

  @Test("reading more attributes than were requested stops the program with a message")
  func noSuchIndex() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      stack.note("a")
      try stack.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      try stack.context.forEachSavedValues(of: request, attributes: ["title"]) { _ = $0.value(at: 1) }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("no attribute was asked for at 1: there are 1, counted from 0"))
  }

  @Test("reading an attribute as another type stops the program with the method's name")
  func wrongType() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      stack.note("a")
      try stack.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      try stack.context.forEachSavedValues(of: request, attributes: ["title"]) { _ = $0.int64(at: 0) }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Note.title cannot be read by int64(at:); read it by string(at:)."))
  }

  @Test("enumerating another key than an attribute is an error that names the attributes")
  func noAttribute() throws {
    let stack = try Stack(.sqlite)
    for name in ["notes", "colour"] {
      let error = #expect(throws: NSError.self) { try values("Category", [name], in: stack.context) }
      #expect(error?.localizedDescription.contains("\(name) is not an attribute that Category keeps") == true)
    }
  }

  @Test("enumerating leaves out objects that exist only in a parent context")
  func unsavedInParent() throws {
    let stack = try Stack(.childOfSQLite)
    stack.note("saved")
    try stack.save()
    stack.note("in the parent alone")
    try stack.context.save()
    #expect(
      try values("Note", ["title"], in: stack.sibling()).compactMap { $0.values[0] as? String } == ["saved"]
    )
  }
}
