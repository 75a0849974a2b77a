import Foundation
import Predicates
import Testing

@Suite("A format becomes the tree that Apple's documentation describes")
struct FormatParsingTests {
  private func comparison(_ format: String, _ arguments: Any?...) throws -> NSComparisonPredicate {
    let predicate = try NSPredicate(parsing: format, arguments: arguments)
    return try #require(predicate as? NSComparisonPredicate)
  }

  private func compound(_ format: String) throws -> NSCompoundPredicate {
    try #require(try NSPredicate(parsing: format) as? NSCompoundPredicate)
  }

  static let operatorSigns: [(String, NSComparisonPredicate.Operator)] = [
    ("=", .equalTo), ("==", .equalTo), ("!=", .notEqualTo), ("<>", .notEqualTo),
    ("<", .lessThan), ("<=", .lessThanOrEqualTo), ("=<", .lessThanOrEqualTo),
    (">", .greaterThan), (">=", .greaterThanOrEqualTo), ("=>", .greaterThanOrEqualTo),
    ("BEGINSWITH", .beginsWith), ("endswith", .endsWith), ("Contains", .contains), ("LIKE", .like),
    ("matches", .matches), ("IN", .in),
  ]

  @Test("each operator is read, words in any case", arguments: operatorSigns)
  func operators(sign: String, type: NSComparisonPredicate.Operator) throws {
    let predicate = try comparison("name \(sign) 'a'")
    #expect(predicate.predicateOperatorType == type)
    #expect(predicate.leftExpression == NSExpression(forKeyPath: "name"))
    #expect(predicate.rightExpression == NSExpression(forConstantValue: "a"))
    #expect(predicate.comparisonPredicateModifier == .direct)
    #expect(predicate.options == [])
    #expect(try comparison("name \(sign)[c]'a'").options == .caseInsensitive)
  }

  @Test("signs need no spaces around them")
  func signsWithoutSpaces() throws {
    #expect(try comparison("age>=21") == comparison("age >= 21"))
    #expect(try compound("a==1&&b==2||c==3") == compound("a == 1 AND b == 2 OR c == 3"))
    #expect(try comparison("a<-1") == comparison("a < -1"))
  }

  @Test("BETWEEN takes a list or an argument of two values")
  func between() throws {
    let predicate = try comparison("age BETWEEN {18, 65}")
    #expect(predicate.predicateOperatorType == .between)
    #expect(predicate.rightExpression.expressionType == .aggregate)
    #expect(try comparison("age BETWEEN %@", [18, 65]) == predicate)
  }

  @Test("options are read in any order and case")
  func options() throws {
    #expect(try comparison("a ==[cd] 'b'").options == [.caseInsensitive, .diacriticInsensitive])
    #expect(try comparison("a == [DC] 'b'").options == [.caseInsensitive, .diacriticInsensitive])
    #expect(try comparison("a ==[n] 'b'").options == .normalized)
  }

  @Test("ANY, SOME, ALL and NONE modify the comparison")
  func modifiers() throws {
    #expect(try comparison("ANY tags.name == 'a'").comparisonPredicateModifier == .any)
    #expect(try comparison("some tags.name == 'a'").comparisonPredicateModifier == .any)
    #expect(try comparison("ALL tags.name == 'a'").comparisonPredicateModifier == .all)
    let none = try compound("NONE tags.name == 'a'")
    #expect(none.compoundPredicateType == .not)
    #expect((none.subpredicates[0] as? NSComparisonPredicate)?.comparisonPredicateModifier == .any)
  }

  @Test("AND binds tighter than OR, NOT tighter than both; equal neighbours are one compound")
  func precedence() throws {
    let or = try compound("a == 1 OR b == 2 AND NOT c == 3 AND d == 4 OR e == 5")
    #expect(or.compoundPredicateType == .or)
    #expect(or.subpredicates.count == 3)
    let and = try #require(or.subpredicates[1] as? NSCompoundPredicate)
    #expect(and.compoundPredicateType == .and)
    #expect(and.subpredicates.count == 3)
    #expect((and.subpredicates[1] as? NSCompoundPredicate)?.compoundPredicateType == .not)
  }

  @Test("parentheses keep a compound apart")
  func parentheses() throws {
    let and = try compound("(a == 1 AND b == 2) AND c == 3")
    #expect(and.subpredicates.count == 2)
    #expect(try compound("((a == 1)) AND (b == (2))") == compound("a == 1 AND b == 2"))
    #expect(try comparison("(((a))) == ((1))") == comparison("a == 1"))
    #expect(try comparison("(a + 1) * 2 == 4").leftExpression.function == "multiply:by:")
  }

  @Test("a key path may contain reserved words after a dot, and escaped ones anywhere")
  func keyPaths() throws {
    #expect(try comparison("category.name == 1").leftExpression.keyPath == "category.name")
    #expect(try comparison("a.first.size.in == 1").leftExpression.keyPath == "a.first.size.in")
    #expect(try comparison("#in.#all == 1").leftExpression.keyPath == "in.all")
    #expect(try comparison("first == 1").leftExpression.keyPath == "first")
    #expect(try comparison("union == minus").rightExpression.keyPath == "minus")
    #expect(try comparison("naïve.größe_2 == 1").leftExpression.keyPath == "naïve.größe_2")
    #expect(try comparison("tags.@count == 1").leftExpression.keyPath == "tags.@count")
    #expect(try comparison("@count == 1").leftExpression.keyPath == "@count")
    #expect(try comparison("SELF.name == 1").leftExpression.keyPath == "name")
  }

  @Test("a key path after a variable is Apple's message expression")
  func variableKeyPath() throws {
    let expression = try comparison("$x.a.b == 1").leftExpression
    #expect(expression.expressionType == .function)
    #expect(expression.function == "valueForKeyPath:")
    #expect(expression.operand == NSExpression(forVariable: "x"))
    #expect(expression.arguments == [NSExpression(forKeyPath: "a.b")])
  }

  static let literals: [(String, any Sendable & Equatable)] = [
    ("1", 1), ("-1", -1), ("1.5", 1.5), (".5", 0.5), ("1e3", 1000.0), ("-1.5E-2", -0.015), ("0xff", 255),
    ("0b11", 3),
    ("0o17", 15), ("YES", true), ("no", false), ("TRUE", true), ("FALSE", false), ("'a'", "a"),
    (#""a""#, "a"),
    (#"'it\'s'"#, "it's"), (#"'\t\n\\\x41\u00e9\ud83d\ude00\U0001F600'"#, "\t\n\\Aé😀😀"), ("'%@'", "%@"),
    ("''", ""),
    ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
    ("18446744073709551615", UInt64.max), (#"'\d'"#, "d"),
  ]

  @Test("literals are read", arguments: literals)
  func literal(text: String, value: any Sendable & Equatable) throws {
    let constant = try comparison("a == \(text)").rightExpression.constantValue
    if let text = value as? String {
      #expect(constant as? String == text)
    } else {
      // The constant is Foundation's NSNumber, which casts to each Swift type that can represent the value.
      #expect(constant is NSNumber)
      func isCast<Value: Equatable>(_ value: Value) -> Bool { constant as? Value == value }
      let isEqual = isCast(value)
      #expect(isEqual)
    }
  }

  @Test("NULL and NIL are a constant without a value")
  func null() throws {
    #expect(try comparison("a == NULL").rightExpression.constantValue == nil)
    #expect(try comparison("a == nil").rightExpression.expressionType == .constantValue)
  }

  @Test("a number too large for 64 bits becomes a decimal or a double")
  func largeNumbers() throws {
    let decimal = try comparison("a == 18446744073709551616").rightExpression.constantValue as? Decimal
    #expect(decimal == Decimal(string: "18446744073709551616"))
    let digits = String(repeating: "9", count: 60)
    #expect(try comparison("a == \(digits)").rightExpression.constantValue as? Double == 1e60)
  }

  @Test("a subquery has a collection, a variable and a predicate")
  func subquery() throws {
    let expression = try comparison("SUBQUERY(tags, $tag, $tag.name == 'a' OR $tag.n > 1)[SIZE] > 0")
      .leftExpression
    #expect(expression.function == "objectFrom:withIndex:")
    let subquery = try #require(expression.arguments?.first)
    #expect(subquery.expressionType == .subquery)
    #expect(subquery.collection as? NSExpression == NSExpression(forKeyPath: "tags"))
    #expect(subquery.variable == "tag")
    #expect(subquery.predicate is NSCompoundPredicate)
  }

  @Test("a function may be named without its colon and in any case")
  func functions() throws {
    #expect(try comparison("SUM(a) == 1").leftExpression.function == "sum:")
    #expect(try comparison("count:(a) == 1").leftExpression.function == "count:")
    #expect(try comparison("random() > random(5)").leftExpression.function == "random")
    #expect(try comparison("now() > date").leftExpression.arguments == [])
  }

  @Test("sign functions bind as in arithmetic")
  func arithmetic() throws {
    let sum = try NSExpression(parsing: "1 + 2 * 3 ** 2 - -x")
    #expect(sum.function == "from:subtract:")
    #expect("\(sum)" == "1 + 2 * 3 ** 2 - (0 - x)")
    #expect(try value("1 + 2 * 3 ** 2 - 4 / 2", nil) as? Int == 17)
  }

  @Test("CAST of a literal is the constant")
  func cast() throws {
    let constant = try comparison("a == CAST(0, 'NSDate')").rightExpression.constantValue
    #expect(constant as? Date == Date(timeIntervalSinceReferenceDate: 0))
    #expect(try comparison("a == CAST(b, 'NSDate')").rightExpression.function == "castObject:toType:")
  }

  @Test("TERNARY has a predicate and two expressions")
  func ternary() throws {
    let expression = try NSExpression(parsing: "TERNARY(a > 1 AND b < 2, 'x', c)")
    #expect(expression.expressionType == .conditional)
    #expect(expression.predicate is NSCompoundPredicate)
    #expect(expression.true == NSExpression(forConstantValue: "x"))
    #expect(expression.false == NSExpression(forKeyPath: "c"))
  }

  @Test("a set expression has a left and a right side")
  func sets() throws {
    let expression = try NSExpression(parsing: "a UNION b INTERSECT {1}")
    #expect(expression.expressionType == .intersectSet)
    #expect(expression.left.expressionType == .unionSet)
    #expect(try NSExpression(parsing: "a MINUS b").expressionType == .minusSet)
  }
}
