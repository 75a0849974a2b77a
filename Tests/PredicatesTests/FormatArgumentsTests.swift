import Foundation
import Predicates
import Testing

@Suite("Arguments replace the specifiers in a format")
struct FormatArgumentsTests {
  private struct Note {
    struct Category { var name = "" }
    var title: String?
    var category = Category()
  }

  private func constant(_ specifier: String, _ argument: Any?) throws -> Any? {
    let predicate = try NSPredicate(parsing: "a == \(specifier)", arguments: [argument])
    return try #require(predicate as? NSComparisonPredicate).rightExpression.constantValue
  }

  @Test("%@ takes any value")
  func values() throws {
    let date = Date()
    #expect(try constant("%@", "x") as? String == "x")
    #expect(try constant("%@", date) as? Date == date)
    #expect(try constant("%@", [1, 2]) as? [Int] == [1, 2])
    #expect(try constant("%@", true) as? Bool == true)
    #expect(try constant("%@", nil) == nil)
    let nested: Int?? = .some(.some(3))
    #expect(try constant("%@", nested as Any) as? Int == 3)
    let absent: String? = nil
    #expect(try constant("%@", absent) == nil)
  }

  @Test("%K takes a key path as text or as a Swift key path")
  func keyPaths() throws {
    let predicate = NSPredicate(format: "%K == 1 AND a.%K == 2 AND %K.b == 3", "x.y", "z", "w")
    #expect("\(predicate)" == "x.y == 1 AND a.z == 2 AND w.b == 3")
    #expect("\(NSPredicate(format: "%K == 1", \Note.category.name))" == "category.name == 1")
    #expect(NSExpression(forKeyPath: \Note.title).keyPath == "title")
    let inner = try NSPredicate(
      parsing: "SUBQUERY(%K, $x, $x.%K == %@).@count > %d",
      arguments: ["tags", "name", "a", 2]
    )
    #expect("\(inner)" == #"SUBQUERY(tags, $x, $x.name == "a").@count > 2"#)
  }

  static let integerSpecifiers = [
    "%d", "%i", "%u", "%ld", "%lu", "%lld", "%llu", "%qi", "%hd", "%hhu", "%zd", "%x", "%X", "%o",
  ]

  @Test("C's integer specifiers take any number", arguments: integerSpecifiers)
  func integers(specifier: String) throws {
    #expect(try constant(specifier, 42) as? Int == 42)
    #expect(try constant(specifier, Int8(42)) as? Int == 42)
    #expect(try constant(specifier, NSNumber(value: 42.9)) as? Int == 42)
    #expect(try constant(specifier, true) as? Int == 1)
  }

  @Test("C's floating point specifiers take any number", arguments: ["%f", "%g", "%e", "%lf", "%Lf", "%.2f"])
  func floatingPoint(specifier: String) throws {
    #expect(try constant(specifier, 1.5) as? Double == 1.5)
    #expect(try constant(specifier, 2) as? Double == 2)
    #expect(try constant(specifier, Decimal(string: "0.25")) as? Double == 0.25)
  }

  @Test("%s and %c take text")
  func text() throws {
    #expect(try constant("%s", "abc") as? String == "abc")
    #expect(try constant("%c", "a") as? String == "a")
    #expect(try constant("%c", Character("é")) as? String == "é")
    #expect(try constant("%c", 97) as? Int == 97)
  }

  @Test("%@ takes an expression or a predicate as it is")
  func trees() throws {
    let expression = NSExpression(format: "a + 1")
    #expect("\(NSPredicate(format: "%@ == 2", expression))" == "a + 1 == 2")
    let predicate = NSPredicate(format: "a == 1 OR b == 2")
    #expect("\(NSPredicate(format: "%@ AND c == 3", predicate))" == "(a == 1 OR b == 2) AND c == 3")
    #expect(NSPredicate(format: "%@", predicate) == predicate)
  }

  @Test("an array gives the arguments too")
  func argumentArray() throws {
    #expect(
      NSPredicate(format: "a == %@ AND b > %d", argumentArray: ["x", 2])
        == NSPredicate(format: "a == 'x' AND b > 2")
    )
    #expect("\(NSPredicate(format: "a == 1", argumentArray: nil))" == "a == 1")
    #expect("\(NSExpression(format: "%K * %d", argumentArray: ["a", 2]))" == "a * 2")
  }

  @Test("too few arguments are an error at the specifier")
  func tooFew() throws {
    let error = #expect(throws: PredicateFormatError.self) {
      try NSPredicate(parsing: "a == %@ AND b == %d", arguments: ["x"])
    }
    #expect(error?.position == 17)
    #expect(error?.message == "There are 1 arguments, too few for %d")
  }

  static let mismatches: [(String, any Sendable)] = [
    ("a == %d", "x"), ("a == %f", "x"), ("a == %s", 1), ("a == %c", "xy"), ("%K == 1", 5), ("%K == 1", ""),
    ("a == %d", Double.infinity), ("a == %d", Double.nan),
  ]

  @Test("an argument of the wrong type is an error at the specifier", arguments: mismatches)
  func mismatch(format: String, argument: any Sendable) throws {
    let error = #expect(throws: PredicateFormatError.self) {
      try NSPredicate(parsing: format, arguments: [argument])
    }
    #expect(error?.message.hasPrefix("Argument 1 for ") == true)
    #expect(error?.position == format.distance(from: format.startIndex, to: format.firstIndex(of: "%")!))
  }

  @Test("arguments may be spelled as CVarArg, as on Apple's platforms")
  func cVarArg() throws {
    let (date, id) = (Date(timeIntervalSinceReferenceDate: 5), UUID())
    let predicate = NSPredicate(
      format: "a == %@ AND b == %@ AND c IN %@ AND d == %@ AND e == %@",
      date as CVarArg,
      id as CVarArg,
      [1, 2] as CVarArg,
      NSNumber(value: 3) as CVarArg,
      "x" as CVarArg
    )
    #expect(
      predicate.printedFormat
        == #"a == CAST(5.000000, "NSDate") AND b == CAST("\#(id)", "NSUUID") AND c IN {1, 2} AND d == 3 AND e == "x""#
    )
    #expect(String(format: "%@ %d %@", id as CVarArg, 5, [1] as CVarArg) == "\(id) 5 [1]")
  }
}
