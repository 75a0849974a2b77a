import Foundation
import Predicates
import Testing

@Suite("predicateFormat prints what Apple's prints, and reads back as an equal predicate")
struct PredicateFormatPrintingTests {
  /// A format, and its printed form if that differs.
  static let formats: [(String, String?)] = [
    (#"name == "x" AND age > 5"#, nil),
    (#"name BEGINSWITH[cd] "a""#, nil),
    (#"ANY tags.name IN {"a", "b"}"#, nil),
    ("population > 15000", nil),
    (#"name == "Foo" AND (age < 13 OR age > 18)"#, nil),
    ("NOT isReal == 1", nil),
    ("isActive == YES", "isActive == 1"),
    ("a = 1 && b <> 2 || !c => 3", "(a == 1 AND b != 2) OR NOT c >= 3"),
    ("a =< 1", "a <= 1"),
    ("a == NULL", "a == nil"),
    ("x BETWEEN {1, 10}", nil),
    ("NONE tags.name == 'a'", #"NOT ANY tags.name == "a""#),
    ("SOME tags.name == 'a'", #"ANY tags.name == "a""#),
    ("ALL tags.name LIKE[c] 'a*'", #"ALL tags.name LIKE[c] "a*""#),
    ("TRUEPREDICATE", nil),
    ("FALSEPREDICATE OR a == 1", nil),
    ("SELF == 1", nil),
    ("SELF.name == 'a'", #"name == "a""#),
    ("#size == 1", nil),
    ("a.size == 1", nil),
    ("size == 1", "#size == 1"),
    ("#9a == 1", nil),
    ("$name == name", nil),
    (#"SUBQUERY(tags, $tag, $tag.name == "a" AND $tag.size > $minimum).@count > 0"#, nil),
    ("tags.@count == 0", nil),
    ("items.@sum.price < 1000", nil),
    ("tags[FIRST].name == tags[LAST].name AND tags[SIZE] > 2 AND tags[0] == tags[i + 1]", nil),
    ("relationships[FIRST].count <[c] 42", nil),
    ("price * (tax + 1) - 2 ** 3 ** 2 > (2 ** 3) ** 2 / 4", nil),
    ("a - (b - c) == a - b - c", nil),
    ("flags & 4 != 0", nil),
    ("sum(prices) > max(1, 2, 3)", "sum:(prices) > max:(1, 2, 3)"),
    ("modulus:by:(a, 2) == 0", nil),
    ("add:to:(a, 1) == 2", "a + 1 == 2"),
    ("now() > date", nil),
    ("uppercase:(name) == 'A'", #"uppercase:(name) == "A""#),
    ("CAST(name, 'NSNumber') == -1.5e-7", #"CAST(name, "NSNumber") == -1.5e-07"#),
    ("TERNARY(a == 1, b, c) == 2", nil),
    (#"FUNCTION(name, "stringByAppendingString:", "b") == "ab""#, nil),
    ("a UNION b CONTAINS c", nil),
    (#"name == "q\"b\\n\n""#, nil),
    ("-a == 1", "0 - a == 1"),
    ("(-1) ** 2 == 1", nil),
    ("(-1)[0] == 1", nil),
    ("x IN[cd] {1, 'a', NULL, {2}}", #"x IN[cd] {1, "a", nil, {2}}"#),
    ("x ==[cdnl] 'a'", #"x ==[cdnl] "a""#),
    ("ANYKEY == 1", nil),
    ("a == 18446744073709551615 OR a == -9223372036854775808", nil),
    ("a == 0x1F AND b == 0b101 AND c == 0o17", "a == 31 AND b == 5 AND c == 15"),
    ("date == CAST(417225600.5, 'NSDate')", #"date == CAST(417225600.500000, "NSDate")"#),
    (#"id == CAST("6A52CF44-BC4B-4A21-A6AE-2D4F5A6C6C4C", "NSUUID")"#, nil),
  ]

  @Test("a format prints in the canonical way and reads back as an equal predicate", arguments: formats)
  func roundTrip(format: String, printed: String?) throws {
    let predicate = try NSPredicate(parsing: format)
    #expect("\(predicate)" == printed ?? format)
    let again = try NSPredicate(parsing: "\(predicate)")
    #expect(again == predicate)
    #expect(again.hash == predicate.hash)
    #expect((predicate.copy() as? NSPredicate) == predicate)
  }

  @Test("NSNull prints as on Apple's platforms, and reads back")
  func null() throws {
    let predicate = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "a"),
      rightExpression: NSExpression(forConstantValue: NSNull()),
      modifier: .direct,
      type: .equalTo
    )
    #expect("\(predicate)" == "a == <null>")
    #expect(try NSPredicate(parsing: "a == <null>") == predicate)
  }
}
