import CoreData
import Foundation
import Testing

@Suite("A batch update")
struct BatchUpdateTests {
  private func notes(_ kind: StoreKind, _ count: Int) throws -> Stack {
    let stack = try Stack(kind)
    for number in 0..<count { stack.note("\(number)", rating: Int64(number)) }
    try stack.save()
    return stack
  }

  @Test("a batch update sets constants where the predicate matches", arguments: StoreKind.takingBatches)
  func constants(_ kind: StoreKind) throws {
    let stack = try notes(kind, 5)
    let request = NSBatchUpdateRequest(entityName: "Note")
    request.predicate = NSPredicate(format: "rating >= %@", 3)
    let day = Date(timeIntervalSinceReferenceDate: 5)
    request.propertiesToUpdate = ["title": "high", "createdAt": day, "isPinned": true, "price": NSNull()]
    request.resultType = .updatedObjectsCountResultType
    let result = try #require(try stack.context.execute(request) as? NSBatchUpdateResult)
    #expect(result.result as? Int == 2)
    let context = stack.newContext()
    let changed = try stack.fetch(Note.self, "title == 'high'", in: context)
    #expect(Set(changed.map(\.rating)) == [3, 4])
    #expect(changed.allSatisfy { $0.createdAt == day && $0.value(forKey: "isPinned") as? Bool == true })
  }

  @Test("a batch update computes expressions from the old values", arguments: StoreKind.takingBatches)
  func expressions(_ kind: StoreKind) throws {
    let stack = try notes(kind, 4)
    let request = NSBatchUpdateRequest(entity: Note.entity())
    request.propertiesToUpdate = [
      "rating": NSExpression(format: "rating * 2 + 1"), "medium": NSExpression(format: "rating"),
      "title": NSExpression(format: "uppercase(title)"),
    ]
    request.resultType = .updatedObjectIDsResultType
    let result = try #require(try stack.context.execute(request) as? NSBatchUpdateResult)
    #expect((result.result as? [NSManagedObjectID])?.count == 4)
    let context = stack.newContext()
    let changed = try stack.fetch(
      Note.self,
      sort: [NSSortDescriptor(key: "rating", ascending: true)],
      in: context
    )
    #expect(changed.map(\.rating) == [1, 3, 5, 7])
    #expect(changed.map { $0.value(forKey: "medium") as? Int } == [0, 1, 2, 3])
  }

  @Test("calculates with decimal numbers as such", arguments: StoreKind.takingBatches)
  func decimals(_ kind: StoreKind) throws {
    let stack = try notes(kind, 1)
    try #require(try stack.fetch(Note.self).first).setValue(NSDecimalNumber(string: "0.1"), forKey: "price")
    try stack.save()
    let request = NSBatchUpdateRequest(entityName: "Note")
    request.predicate = NSPredicate(format: "price + 0.2 == 0.3")
    request.propertiesToUpdate = ["price": NSExpression(format: "(price + 0.2) * 3 - price / 2")]
    request.resultType = .updatedObjectsCountResultType
    let result = try #require(try stack.context.execute(request) as? NSBatchUpdateResult)
    #expect(result.result as? Int == 1)
    let price = try stack.fetch(Note.self, in: stack.newContext()).first?.value(forKey: "price")
    #expect(price as? NSDecimalNumber == NSDecimalNumber(string: "0.85"))
  }

  @Test("a batch update refuses an integer result beyond 64 bits", arguments: StoreKind.takingBatches)
  func overflow(_ kind: StoreKind) throws {
    let stack = try notes(kind, 1)
    stack.note("greatest", rating: .max).setValue(1e300, forKey: "ratio")
    try stack.save()
    for format in ["rating + 1", "rating * 2 - rating", "ratio"] {
      let request = NSBatchUpdateRequest(entityName: "Note")
      request.predicate = NSPredicate(format: "ratio != nil")
      request.propertiesToUpdate = ["rating": NSExpression(format: format)]
      #expect(throws: NSError.self, "\(format)") { try stack.context.execute(request) }
    }
    let ratings = try stack.fetch(Note.self, sort: [.byTitle], in: stack.newContext()).map(\.rating)
    #expect(ratings == [0, .max])
  }

  @Test("a batch update refuses too deeply nested expressions", arguments: StoreKind.takingBatches)
  func deepExpression(_ kind: StoreKind) throws {
    let stack = try notes(kind, 1)
    var expression = NSExpression(forKeyPath: "rating")
    for _ in 0..<20_000 { expression = NSExpression(forFunction: "abs:", arguments: [expression]) }
    let request = NSBatchUpdateRequest(entityName: "Note")
    request.propertiesToUpdate = ["rating": expression]
    let error = try #require(throws: NSError.self) { try stack.context.execute(request) }
    #expect(error.localizedDescription.contains("levels deep"))
  }

  @Test("a batch update includes subentities by default", arguments: StoreKind.takingBatches)
  func subentities(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    Person(context: stack.context).name = "p"
    Employee(context: stack.context).name = "e"
    try stack.save()
    let request = NSBatchUpdateRequest(entityName: "Person")
    request.propertiesToUpdate = ["name": "x"]
    request.includesSubentities = false
    try stack.context.execute(request)
    #expect(try Set(stack.fetch(Person.self, in: stack.newContext()).map(\.name)) == ["x", "e"])
    request.includesSubentities = true
    try stack.context.execute(request)
    #expect(try stack.fetch(Person.self, in: stack.newContext()).map(\.name) == ["x", "x"])
  }

  @Test(
    "a batch update follows relationships in the predicate, and sets to-one relationships",
    arguments: StoreKind.takingBatches
  )
  func relationships(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (one, other) = (stack.category("one"), stack.category("other"))
    stack.note("a", one)
    stack.note("b", other)
    try stack.save()
    let request = NSBatchUpdateRequest(entityName: "Note")
    request.predicate = NSPredicate(format: "category.name == 'one'")
    request.propertiesToUpdate = ["category": other]
    try stack.context.execute(request)
    request.propertiesToUpdate = ["category": other.objectID]
    try stack.context.execute(request)
    let context = stack.newContext()
    #expect(try stack.fetch(Note.self, in: context).allSatisfy { $0.category?.name == "other" })
    request.predicate = nil
    request.propertiesToUpdate = ["category": NSNull()]
    try stack.context.execute(request)
    #expect(try stack.fetch(Note.self, in: stack.newContext()).allSatisfy { $0.category == nil })
  }

  @Test("a batch update increments versions, to detect conflicts", arguments: [StoreKind.inMemory, .sqlite])
  func versions(_ kind: StoreKind) throws {
    let stack = try notes(kind, 1)
    let note = try #require(try stack.fetch(Note.self).first)
    note.rating = 8
    let request = NSBatchUpdateRequest(entityName: "Note")
    request.propertiesToUpdate = ["rating": 9]
    try stack.context.execute(request)
    let error = #expect(throws: (any Error).self) { try stack.context.save() }
    #expect((error as? NSError)?.code == NSManagedObjectMergeError)
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try stack.context.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.rating) == [8])
  }

  @Test("a batch update names the entity and key it cannot set", arguments: StoreKind.storesAndChildren)
  func refusals(_ kind: StoreKind) throws {
    let stack = try notes(kind, 1)
    func failure(_ properties: [AnyHashable: Any]) throws -> String {
      let request = NSBatchUpdateRequest(entityName: "Note")
      request.propertiesToUpdate = properties
      let error = try #require(throws: (any Error).self) { try stack.context.execute(request) }
      return (error as NSError).localizedDescription
    }
    #expect(try failure([:]).contains("no propertiesToUpdate"))
    #expect(try failure(["name": 1]).contains("no property named name"))
    #expect(try failure(["tags": NSNull()]).contains("Note.tags"))
    #expect(try failure(["rating": "x"]).contains("Note.rating cannot be x"))
    #expect(try failure(["category": "x"]).contains("Note.category"))
    #expect(try failure(["rating": NSExpression(format: "title")]).contains("Note.rating"))
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.rating) == [0])
  }
}
