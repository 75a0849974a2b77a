import Foundation
import Predicates
import Testing

@Suite("Predicates and expressions are equal when their trees are")
struct TreeEqualityTests {
  @Test("a constructed predicate equals a parsed one")
  func madeAndRead() {
    let made = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "age"),
      rightExpression: NSExpression(forConstantValue: 10),
      modifier: .direct,
      type: .greaterThan
    )
    #expect(made == NSPredicate(format: "age > 10"))
    #expect(made.isEqual(NSPredicate(format: "age > %@", 10)))
    #expect(made != NSPredicate(format: "age >[c] 10"))
    #expect(made != NSPredicate(format: "ANY age > 10"))
    #expect(made != NSPredicate(format: "age >= 10"))
    #expect(!made.isEqual("age > 10"))
  }

  @Test("constants are equal by value, whatever the number's type")
  func constants() {
    #expect(NSExpression(forConstantValue: 1) == NSExpression(forConstantValue: 1.0))
    #expect(NSExpression(forConstantValue: true) == NSExpression(forConstantValue: NSNumber(value: 1)))
    #expect(NSExpression(forConstantValue: nil) == NSExpression(forConstantValue: NSNull()))
    #expect(NSExpression(forConstantValue: "\u{e9}") != NSExpression(forConstantValue: "e\u{301}"))
    #expect(
      NSExpression(forConstantValue: [1, 2]) == NSExpression(forConstantValue: NSArray(array: [1, 2]))
    )
    #expect(NSExpression(forConstantValue: [1, 2]) == NSExpression(format: "{1, 2}"))
    #expect(NSExpression(forConstantValue: [1, 2]) != NSExpression(forConstantValue: [2, 1]))
    #expect(
      NSExpression(forConstantValue: Set([1, 2])) == NSExpression(forConstantValue: NSSet(array: [2, 1]))
    )
    #expect(NSExpression(forConstantValue: "1") != NSExpression(forConstantValue: 1))
    #expect(NSExpression(forConstantValue: [1, 2]).hash == NSExpression(format: "{1, 2}").hash)
    let id = UUID()
    #expect(NSExpression(forConstantValue: id) == NSExpression(forConstantValue: id as NSUUID))
  }

  @Test("expressions of different kinds are not equal")
  func kinds() {
    let expressions = [
      "a", "'a'", "$a", "SELF", "{a}", "sum(a)", "a + 1", "a UNION {1}", "a INTERSECT {1}",
      "SUBQUERY(a, $x, TRUEPREDICATE)",
      "TERNARY(TRUEPREDICATE, a, 1)", "ANYKEY", "a[0]", "a[FIRST]", "FUNCTION(a, 'count')",
      "SUBQUERY(a, $y, TRUEPREDICATE)",
    ].map { NSExpression(format: $0) }
    for (index, first) in expressions.enumerated() {
      for (otherIndex, second) in expressions.enumerated() {
        #expect((first == second) == (index == otherIndex), "\(first) and \(second)")
      }
      #expect(first.copy() as? NSExpression == first)
    }
  }

  @Test("Foundation's compounds are compared by their parts, copied and printed")
  func foundationCompounds() {
    let (a, b) = (NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2"))
    let and: NSPredicate = NSCompoundPredicate(andPredicateWithSubpredicates: [a, b])
    let or: NSPredicate = NSCompoundPredicate(orPredicateWithSubpredicates: [a, b])
    #expect(and == NSPredicate(format: "a == 1 AND b == 2"))
    #expect(NSPredicate(format: "a == 1 AND b == 2") == and)
    #expect(and != or)
    #expect(and != NSPredicate(value: false))
    #expect(NSPredicate(format: "a == 1 AND b == 2").isEqual(and))
    #expect(!NSPredicate(format: "a == 1 OR b == 2").isEqual(and))
    #expect(and.printedFormat == "a == 1 AND b == 2")
    #expect(CompoundPredicate(type: .not, subpredicates: [or]).predicateFormat == "NOT (a == 1 OR b == 2)")
    #expect(CompoundPredicate(andPredicateWithSubpredicates: []).predicateFormat == "TRUEPREDICATE")
    #expect(CompoundPredicate(orPredicateWithSubpredicates: []).predicateFormat == "FALSEPREDICATE")
    #expect(CompoundPredicate(orPredicateWithSubpredicates: [and]).predicateFormat == "a == 1 AND b == 2")
    #expect(
      CompoundPredicate(notPredicateWithSubpredicate: a).copy() as? NSPredicate
        == NSPredicate(format: "NOT a == 1")
    )
  }

  @Test("constants of both origins are equal, and equal to nothing else")
  func constantPredicates() {
    #expect(NSPredicate(value: true) == NSPredicate(format: "TRUEPREDICATE"))
    #expect(NSPredicate(format: "FALSEPREDICATE").isEqual(NSPredicate(value: false)))
    #expect(NSPredicate(value: true) != NSPredicate(value: false))
    #expect(NSPredicate(format: "TRUEPREDICATE").printedFormat == "TRUEPREDICATE")
    #expect(NSPredicate(value: false) != NSPredicate(format: "a == 1"))
    #expect(!NSPredicate(value: false).isEqual(NSPredicate(format: "a == 1")))
    let block = NSPredicate { _, _ in true }
    #expect(block == block)
    #expect(block != NSPredicate { _, _ in true })
  }

  @Test("a walker can distinguish every kind of predicate")
  func nodes() {
    func kind(_ predicate: NSPredicate) -> String {
      switch predicate.node {
      case .constant(let value): "constant \(value)"
      case .comparison: "comparison"
      case .compound(let type, let parts): "compound \(type) \(parts.count)"
      case .opaque: "opaque"
      }
    }
    #expect(kind(NSPredicate(value: true)) == "constant true")
    #expect(kind(NSPredicate(value: false)) == "constant false")
    #expect(kind(NSPredicate(format: "FALSEPREDICATE")) == "constant false")
    #expect(kind(NSPredicate(format: "a == 1")) == "comparison")
    #expect(kind(NSPredicate(format: "a == 1 OR b == 1")) == "compound or 2")
    #expect(
      kind(NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(value: true))) == "compound not 1"
    )
    #expect(kind(NSPredicate { _, _ in true }) == "opaque")
  }

  @Test("a set of predicates holds each once")
  func hashing() {
    let formats = ["a == 1", "a = 1", "b == 1", "a == 1 AND b == 1", "a = 1 && b = 1", "NOT a == 1"]
    #expect(Set(formats.map { NSPredicate(format: $0) }).count == 4)
  }
}
