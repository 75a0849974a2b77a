import Foundation
import Predicates
import Testing

@Suite("A format that does not parse is explained")
struct FormatErrorTests {
  /// The format, the position of the error, the message, and the expected tokens.
  static let errors: [(String, Int, String, String)] = [
    ("", 0, "The format ends too early", "an expression"),
    ("name", 4, "The format ends too early", "a comparison operator such as == or CONTAINS"),
    ("name ==", 7, "The format ends too early", "an expression"),
    ("name foo 1", 5, "Unexpected foo", "a comparison operator such as == or CONTAINS"),
    ("name == 1 2", 10, "Unexpected 2", "an operator or the end"),
    ("name == 1 AND", 13, "The format ends too early", "an expression"),
    ("(name == 1", 10, "The format ends too early", "\")\" after what the parenthesis encloses"),
    ("name == 1)", 9, "Unexpected )", "an operator or the end"),
    ("name == 'abc", 8, "The text that begins here has no closing quote", "'"),
    ("name == {1, 2", 13, "The format ends too early", "\"}\" after the list"),
    ("name IN {1 2}", 11, "Unexpected 2", "\"}\" after the list"),
    ("name ==[x] 1", 8, "Unknown option in [x]", "some of the options c, d, n and l"),
    ("name ==[1] 1", 8, "Unexpected 1", "some of the options c, d, n and l"),
    ("ANY name", 8, "The format ends too early", "a comparison operator such as == or CONTAINS"),
    ("a == @", 5, "Unexpected character \"@\"", ""),
    ("größe == €", 9, "Unexpected character \"€\"", ""),
    ("a == “b”", 5, "Unexpected character \"“\"", ""),
    ("a == $", 6, "The \"$\" is not followed by a name", "a variable's name"),
    ("# == 1", 1, "The \"#\" is not followed by a name", "a key"),
    ("a. == 1", 3, "Unexpected ==", "a key after the dot"),
    ("a.'b' == 1", 2, "Unexpected 'b'", "a key after the dot"),
    ("a[1 == 1", 4, "Unexpected ==", "\"]\" after the index"),
    ("a == 1x", 6, "A number is followed by a letter", "an operator"),
    ("a == 0xZZ", 5, "The number is not one of base 16 with at most 64 bits", "a number"),
    ("a == 1e999", 5, "The number 1e999 is too large", "a number"),
    (
      "a == %", 5, "The \"%\" is not followed by a specifier",
      "one of %@ %K %d %i %u %ld %lu %lld %llu %x %o %f %lf %g %e %s %c"
    ),
    (
      "a == %y", 5, "Unknown specifier \"%y\"",
      "one of %@ %K %d %i %u %ld %lu %lld %llu %x %o %f %lf %g %e %s %c"
    ),
    ("a == 5 %% 2", 7, "A percent sign has a meaning only in quoted text", ""),
    (#"a == '\u12'"#, 6, "The escape is incomplete", "4 hexadecimal digits that name a character"),
    (#"a == '\ud800'"#, 6, "The escape names no character", "4 hexadecimal digits that name a character"),
    ("a BETWEEN {1}", 10, "BETWEEN has 1 value on its right side", "two, such as {1, 10}"),
    ("sum() == 1", 0, "The function sum has 0 arguments", "at least 1"),
    ("add:to:(1) == 1", 0, "The function add:to: has 1 arguments", "2"),
    ("a:b == 1", 4, "Unexpected ==", "\"(\" after the function a:b"),
    ("SUBQUERY(a, b, TRUEPREDICATE) == 1", 12, "Unexpected b", "a variable such as $element"),
    ("SUBQUERY(a, $b, c) == 1", 17, "Unexpected )", "a comparison operator such as == or CONTAINS"),
    (
      "CAST(a, 'Foo') == 1", 0, "CAST lacks a known type",
      "CAST(value, \"type\") with one of NSNumber, NSDecimalNumber, NSString, NSDate, NSUUID, NSURL, NSData"
    ),
    ("FUNCTION(a) == 1", 0, "FUNCTION lacks a selector", "FUNCTION(target, \"selector\", arguments…)"),
    ("(a == 1) + 2 == 3", 0, "A predicate stands where a value is needed", "an expression"),
    ("ANY (a == 1) == 1", 4, "A predicate stands where a value is needed", "an expression"),
    ("a == (b == 1)", 5, "A predicate stands where a value is needed", "an expression"),
    ("a AND b == 1", 2, "Unexpected AND", "a comparison operator such as == or CONTAINS"),
    ("NOT", 3, "The format ends too early", "an expression"),
    ("a == 1 OR OR b == 1", 10, "Unexpected OR", "an expression; a key of that name is written #OR"),
    ("a == in", 5, "Unexpected in", "an expression; a key of that name is written #in"),
  ]

  @Test("the error has the position, the message and the expected tokens", arguments: errors)
  func error(format: String, position: Int, message: String, expected: String) throws {
    let error = #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: format) }
    #expect(error?.position == position)
    #expect(error?.message == message)
    #expect(error?.expected == expected)
    #expect(error?.format == format)
  }

  @Test("an unknown function is an error that lists the functions")
  func unknownFunction() throws {
    let error = #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: "a == frob(1)") }
    #expect(error?.position == 5)
    #expect(error?.message == "There is no function named frob")
    #expect(error?.expected.contains("sum:") == true)
  }

  @Test("the description is one line with all of it")
  func description() throws {
    let error = #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: "name foo") }
    #expect(
      error?.localizedDescription
        == "Unexpected foo at position 5, expected a comparison operator such as == or CONTAINS, "
        + "in the predicate format: name foo"
    )
  }

  @Test("deep nesting is an error, not a stack overflow")
  func nesting() {
    let deep = 100_000
    for format in [
      String(repeating: "(", count: deep), String(repeating: "NOT ", count: deep) + "a == 1",
      String(repeating: "!", count: deep), "a == " + String(repeating: "-", count: deep) + "x",
      "a == " + String(repeating: "{", count: deep), "a == " + String(repeating: "a[", count: deep),
      "a == " + String(repeating: "sum(", count: deep), "a == 1" + String(repeating: " ** 1", count: deep),
      "a == 1" + String(repeating: " + 1", count: deep), "a == x" + String(repeating: "[0]", count: deep),
      "a == " + String(repeating: "SUBQUERY(a, $x, ", count: deep),
      "a == " + String(repeating: "~", count: deep),
      "a == " + String(repeating: "TERNARY(", count: deep),
      "a == 1" + String(repeating: " UNION 1", count: deep),
    ] {
      #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: format) }
    }
  }

  @Test("a long format that is not deep is read")
  func longFormats() throws {
    let alternatives = (0..<20_000).map { "a == \($0)" }.joined(separator: " OR ")
    let predicate = try #require(try NSPredicate(parsing: alternatives) as? NSCompoundPredicate)
    #expect(predicate.subpredicates.count == 20_000)
    let path = Array(repeating: "a", count: 20_000).joined(separator: ".")
    #expect(try NSExpression(parsing: path).keyPath == path)
    let list = (0..<20_000).map(String.init).joined(separator: ",")
    #expect(try NSExpression(parsing: "{\(list)}").arguments_count == 20_000)
  }
}

extension NSExpression {
  fileprivate var arguments_count: Int { (collection as? [NSExpression])?.count ?? -1 }
}

@Suite("The position of an error is counted in bytes as well")
struct FormatErrorOffsetTests {
  @Test(
    "the position of an error after characters of several bytes is correct",
    arguments: [
      ("größe ==", 8, 10), ("€ == 1", 0, 0), ("a == '😀' b", 9, 12), ("é == €", 5, 6), ("", 0, 0),
    ]
  )
  func offset(format: String, position: Int, offset: Int) throws {
    let error = try #require(throws: PredicateFormatError.self) { try NSPredicate(parsing: format) }
    #expect(error.position == position)
    #expect(error.offset == offset)
  }

  @Test("the position of an error that is made in code is counted in bytes")
  func made() {
    #expect(PredicateFormatError(message: "", position: 2, format: "éa b").offset == 3)
    #expect(PredicateFormatError(message: "", position: 99, format: "é").offset == 2)
    #expect(PredicateFormatError(message: "", position: -1, format: "é").offset == 0)
  }

  @Test("a format of another class is reported with both classes")
  func otherClass() throws {
    let predicate = try #require(throws: PredicateFormatError.self) {
      try NSCompoundPredicate(parsing: "name == 1")
    }
    #expect(predicate.message.hasPrefix("The format is not an NSCompoundPredicate but a "))
    #expect(predicate.message.hasSuffix("ComparisonPredicate"))
    let expression = try #require(throws: PredicateFormatError.self) {
      try NSFetchRequestExpression(parsing: "name")
    }
    #expect(expression.message.hasPrefix("The format is not an NSFetchRequestExpression but a "))
  }
}
