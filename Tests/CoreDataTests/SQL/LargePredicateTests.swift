import CoreData
import Foundation
import Predicates
import Testing

@testable import CoreData

@Suite("Large predicates")
struct LargePredicateTests {
  @Test("IN with a list of 100,000 values finds the right objects", arguments: [.inMemory] + StoreKind.inSQL)
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

  private func comparisons(_ type: Predicates.NSComparisonPredicate.Operator, _ count: Int) -> [NSPredicate] {
    (0..<count).map { number in
      NSComparisonPredicate(
        leftExpression: NSExpression(forKeyPath: "rating"),
        rightExpression: NSExpression(forConstantValue: number),
        modifier: .direct,
        type: type
      )
    }
  }

  @Test("SQLite does not compare each of many constants with all others")
  func constants() throws {
    let parts = comparisons(.notEqualTo, 600)
    let sql = try TranslatedFetch.statement(
      "Note",
      NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    ).sql
    #expect(sql.components(separatedBy: "t0.ZRATING <> ?").count - 1 == 500)
    #expect(sql.components(separatedBy: "t0.ZRATING <> ifnull(?, NULL)").count - 1 == 100)
    let texts = (0..<600).map { NSPredicate(format: "title CONTAINS[c] %@", "\($0)") }
    let textual = try TranslatedFetch.statement(
      "Note",
      NSCompoundPredicate(orPredicateWithSubpredicates: texts)
    ).sql
    #expect(textual.components(separatedBy: "(t0.ZTITLE, ifnull(?, NULL), ifnull(1, NULL))").count - 1 == 100)
  }

  @Test("constants among many others are the same values", arguments: StoreKind.inSQL)
  func sameValues(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for rating in [599, 600] { stack.note("\(rating)", rating: Int64(rating)) }
    try stack.save()
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: comparisons(.notEqualTo, 600))
    #expect(try stack.newContext().fetch(request).map(\.rating) == [600])
    let texts = (0..<600).map { NSPredicate(format: "title ==[c] %@", "\($0)") }
    request.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: texts)
    #expect(try stack.newContext().fetch(request).map(\.rating) == [599])
  }

  @Test("more values than a statement takes are left to memory", arguments: StoreKind.inSQL)
  func moreThanAStatementTakes(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for rating in [65_999, 66_000] { stack.note("\(rating)", rating: Int64(rating)) }
    try stack.save()
    let parts = comparisons(.lessThan, 66_000)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: comparisons(.equalTo, 66_000))
    #expect(try stack.newContext().fetch(request).map(\.rating) == [65_999])
    // SQL can express each part of the AND.
    let negated = parts.map { NSCompoundPredicate(notPredicateWithSubpredicate: $0) }
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: negated)
    #expect(try stack.newContext().count(for: request) == 2)
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
