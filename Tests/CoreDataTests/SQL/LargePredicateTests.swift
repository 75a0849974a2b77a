import CoreData
import Foundation
import Testing

@Suite("Large predicates")
struct LargePredicateTests {
  @Test("a list of 100,000 values after IN finds what is in it", arguments: [.inMemory] + StoreKind.inSQL)
  func longList(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for number in [5, 70_000, 200_000] { stack.note("\(number)", rating: Int64(number)) }
    try stack.save()
    let numbers = Array(0..<100_000)
    let context = stack.newContext()
    #expect(try stack.fetch(Note.self, "rating IN %@", [numbers], in: context).count == 2)
    #expect(try stack.fetch(Note.self, "NOT rating IN %@", [numbers], in: context).count == 1)
    #expect(try stack.fetch(Note.self, "title IN[c] %@", [numbers.map { "\($0)" }], in: context).count == 2)
  }

  @Test(
    "an OR of 3,000 parts stays within the depth that a database takes",
    arguments: [.inMemory] + StoreKind.inSQL
  )
  func manyParts(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("a", rating: 2_999)
    stack.note("b", rating: 3_001)
    try stack.save()
    let parts = (0..<3_000).map { NSPredicate(format: "rating == %d", $0) }
    let flat = NSCompoundPredicate(orPredicateWithSubpredicates: parts)
    let chain = parts.dropFirst().reduce(parts[0]) {
      NSCompoundPredicate(orPredicateWithSubpredicates: [$0, $1])
    }
    for predicate in [flat, chain] {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = predicate
      #expect(try stack.newContext().fetch(request).map(\.title) == ["a"])
    }
  }

  @Test(
    "a predicate that is nested too deeply is an error before anything runs",
    arguments: [.inMemory] + StoreKind.inSQL
  )
  func tooDeep(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    var expression = NSExpression(forKeyPath: "rating")
    for _ in 0..<5_000 {
      expression = NSExpression(
        forFunction: "add:to:",
        arguments: [expression, NSExpression(forConstantValue: 1)]
      )
    }
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSComparisonPredicate(
      leftExpression: expression,
      rightExpression: NSExpression(forConstantValue: 1),
      modifier: .direct,
      type: .equalTo
    )
    let error = #expect(throws: (any Error).self) { try stack.newContext().fetch(request) }
    #expect("\(error.map { $0.localizedDescription } ?? "")".contains("levels deep"))
  }
}
