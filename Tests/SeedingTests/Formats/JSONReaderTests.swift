import Foundation
import Testing

@testable import Seeding

@Suite("Reading JSON values")
struct JSONReaderTests {
  private func read(_ text: String) throws -> SeedValue {
    var reader = JSONReader(Data(text.utf8), file: "seed.json")
    let value = try reader.value()
    guard reader.peek() == nil else { throw reader.unexpected("the end is expected") }
    return value
  }

  @Test(
    "each JSON value is read as it is written",
    arguments: [
      ("null", SeedValue.null),
      (" true ", .bool(true)),
      ("false", .bool(false)),
      ("0", .integer(0)),
      ("-12", .integer(-12)),
      ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number("9223372036854775808")),
      ("1.50", .number("1.50")),
      ("-1e-3", .number("-1e-3")),
      ("2E+5", .number("2E+5")),
      ("\"\"", .string("")),
      ("\"café 😀\"", .string("café 😀")),
      (#""a\"b\\c\/d\b\f\n\r\t""#, .string("a\"b\\c/d\u{8}\u{C}\n\r\t")),
      (#""\u00e9\ud83d\ude00""#, .string("é😀")),
      (#""before \u00E9""#, .string("before é")),
      ("[]", .array([])),
      ("[1, [2], {}]", .array([.integer(1), .array([.integer(2)]), .object([])])),
      (
        "{\"b\": 1, \"a\": null}",
        .object([SeedField(key: "b", value: .integer(1)), SeedField(key: "a", value: .null)])
      ),
    ] as [(String, SeedValue)]
  )
  func values(text: String, value: SeedValue) throws {
    #expect(try read(text) == value)
  }

  @Test("a byte order mark before a JSON text is skipped")
  func byteOrderMark() throws {
    var reader = JSONReader(Data([0xEF, 0xBB, 0xBF]) + Data("7".utf8), file: "seed.json")
    #expect(try reader.value() == .integer(7))
  }

  @Test(
    "broken JSON is refused with its line and column",
    arguments: [
      ("", 1, 1, "the text ends where a value is expected"),
      ("{\n \"a\": [1,\n x]}", 3, 2, "a value is expected, but \"x\" is there"),
      ("{\"a\": 1", 1, 8, "the text ends where \"}\" is expected or a comma"),
      ("[1,]", 1, 4, "a value is expected, but \"]\" is there"),
      ("{\"é\": 1,}", 1, 9, "a key in double quotes is expected, but \"}\" is there"),
      ("{'a': 1}", 1, 2, "a key in double quotes is expected, but \"'\" is there"),
      ("{\"a\" 1}", 1, 6, "\":\" is expected after the key \"a\", but \"1\" is there"),
      ("{\"a\": 1, \"a\": 2}", 1, 10, "the key \"a\" stands twice"),
      ("01", 1, 2, "a number does not start with a zero"),
      ("1.", 1, 3, "the text ends where a digit is expected"),
      ("-x", 1, 2, "a digit is expected, but \"x\" is there"),
      ("1e", 1, 3, "a digit is expected"),
      ("tru", 1, 1, "true, false or null is expected, but \"t\" is there"),
      ("[nul]", 1, 2, "true, false or null is expected"),
      ("\"a\nb\"", 1, 3, "control character"),
      ("[\"abc]", 1, 2, "no closing quote"),
      (#"["a\"]"#, 1, 2, "no closing quote"),
      (#""\x""#, 1, 2, "a backslash is followed by a character"),
      (#""\u12G4""#, 1, 2, "four hexadecimal digits"),
      (#""\ud800x""#, 1, 2, "half of a surrogate pair"),
      (#""\ud800\u0041""#, 1, 2, "half of a surrogate pair"),
      ("1 2", 1, 3, "the end is expected, but \"2\" is there"),
    ] as [(String, Int, Int, String)]
  )
  func broken(text: String, line: Int, column: Int, problem: String) {
    let error = #expect(throws: SeedError.self) { try read(text) }
    #expect(error?.code == .brokenText)
    #expect(error?.position?.line == line)
    #expect(error?.position?.column == column)
    #expect(error?.problem.contains(problem) == true, "\(String(describing: error))")
  }

  @Test("a JSON string with invalid UTF-8 is refused at the position of the string")
  func invalidUTF8() {
    var reader = JSONReader(Data([0x5B, 0x22, 0xFF, 0x22, 0x5D]), file: "seed.json")
    let error = #expect(throws: SeedError.self) { try reader.value() }
    #expect(error?.position?.column == 2)
    #expect(error?.problem.contains("UTF-8") == true)
  }

  @Test("JSON that is nested deeper than the stack allows is refused")
  func nesting() {
    let text = String(repeating: "[", count: 100_000)
    let error = #expect(throws: SeedError.self) { try read(text) }
    #expect(error?.problem.contains("nested") == true)
  }
}
