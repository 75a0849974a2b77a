import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Archives of predicates and expressions")
struct PredicateArchiveTests {
  @Test(
    "archived predicates are read back equal",
    arguments: [
      "a == 1", "a.b !=[cd] \"x\" AND NOT c > 2.5", "ANY tags.name IN {\"a\", \"b\"}", "TRUEPREDICATE",
      "a == $x",
      "a + b * 2 == 7", "a CONTAINS[c] \"x\"", "a == nil OR b == YES", "name MATCHES \"a.*\"",
      "a BETWEEN {1, 2}",
      "SUBQUERY(tags, $t, $t.name == \"a\").@count > 0", "a BEGINSWITH \"x\"",
      "date < CAST(12.5, \"NSDate\")",
      "TERNARY(a == 1, 2, 3) == 2", "a[FIRST] == 1", "NONE tags.name LIKE \"?x*\"",
      "a == CAST(\"1.5\", \"NSDecimalNumber\")",
    ]
  )
  func roundTrip(_ format: String) throws {
    let predicate = try NSPredicate(parsing: format)
    #expect(try NSPredicate(archivedData: predicate.archivedData()) == predicate)
  }

  @Test(
    "archived expressions are read back equal",
    arguments: [
      "a.b", "1", "sum:(a.b)", "$x.name", "{1, a}", "a UNION b", "SELF", "FUNCTION($a, \"m:with:\", 1, b)",
      "FETCH($a.request, $a.context, YES)",
      "FETCH(a, b, NO)",
    ]
  )
  func expressions(_ format: String) throws {
    let expression = try NSExpression(parsing: format)
    #expect(try NSExpression(archivedData: expression.archivedData()) == expression)
  }

  @Test("predicates of blocks cannot be archived")
  func blocks() {
    #expect(throws: (any Error).self) { try NSPredicate { _, _ in true }.archivedData() }
    #expect(throws: (any Error).self) {
      try NSExpression(block: { _, _, _ in 1 }, arguments: nil).archivedData()
    }
  }

  @Test("reading an invalid predicate archive is an error")
  func broken() throws {
    #expect(throws: (any Error).self) { try NSPredicate(archivedData: Data("x".utf8)) }
    let whole = try NSPredicate(parsing: "a == 1").archivedData()
    for count in stride(from: 0, to: whole.count, by: 7) {
      #expect(throws: (any Error).self) { try NSPredicate(archivedData: whole.prefix(count)) }
    }
  }
}
