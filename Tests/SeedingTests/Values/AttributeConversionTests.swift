import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Values of the model's types")
struct AttributeConversionTests {
  private let attributes: [String: NSAttributeDescription]

  init() throws {
    attributes = try #require(TestModel.things().entitiesByName["Thing"]).attributesByName
  }

  private func convert(_ value: SeedValue, _ name: String) throws -> PlannedValue {
    try AttributeConversion.convert(value, to: try #require(attributes[name]), dates: .byLook)
  }

  @Test(
    "a value of the attribute's type is accepted",
    arguments: [
      ("int16", .integer(-32768), .integer(-32768)),
      ("int32", .integer(2_147_483_647), .integer(2_147_483_647)),
      ("int64", .integer(.max), .integer(.max)),
      ("int16", .number("3.0"), .integer(3)),
      ("int32", .number("1e3"), .integer(1000)),
      ("double", .integer(2), .double(2)),
      ("double", .number("0.1"), .double(0.1)),
      ("double", .number("-1.5e300"), .double(-1.5e300)),
      ("float", .number("0.1"), .float(0.1)),
      (
        "decimal", .number("12345678901234567890.123"), .decimal(Decimal(string: "12345678901234567890.123")!)
      ),
      ("decimal", .string("0.10"), .decimal(Decimal(string: "0.1")!)),
      ("decimal", .integer(7), .decimal(7)),
      ("bool", .bool(true), .bool(true)),
      ("bool", .integer(0), .bool(false)),
      ("name", .string(""), .string("")),
      ("date", .integer(0), .date(Date(timeIntervalSince1970: 0))),
      ("date", .number("1.5"), .date(Date(timeIntervalSince1970: 1.5))),
      ("date", .string("1970-01-02"), .date(Date(timeIntervalSince1970: 86400))),
      ("data", .string("AQID"), .data(Data([1, 2, 3]))),
      (
        "uuid", .string("e621e1f8-c36c-495a-93fc-0c247a3e6e5f"),
        .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!)
      ),
      ("url", .string("https://example.com/a?b=c"), .url(URL(string: "https://example.com/a?b=c")!)),
      ("plain", .array([.integer(1), .string("a")]), .plain(.array([.integer(1), .string("a")]))),
      ("list", .array([]), .plain(.array([]))),
      (
        "place", .object([SeedField(key: "x", value: .integer(1)), SeedField(key: "label", value: .null)]),
        .composite(["x": .double(1), "label": .null])
      ),
      ("int16", .null, .null),
      ("place", .null, .null),
    ] as [(String, SeedValue, PlannedValue)]
  )
  func takes(name: String, value: SeedValue, expected: PlannedValue) throws {
    #expect(try convert(value, name) == expected)
  }

  @Test(
    "a value of another type is refused, and the remedy says what is expected",
    arguments: [
      ("int16", .integer(32768), "from -32768 to 32767"),
      ("int32", .integer(2_147_483_648), "from -2147483648 to 2147483647"),
      ("int64", .number("9223372036854775808"), "a whole number"),
      ("int16", .number("1.5"), "a whole number"),
      ("int16", .string("1"), "a whole number"),
      ("int16", .bool(true), "a whole number"),
      ("double", .string("1"), "a number"),
      ("double", .number("1e999"), "a smaller number"),
      ("float", .number("1e300"), "a smaller number"),
      ("decimal", .string("12 euros"), "12.50"),
      ("decimal", .string(""), "12.50"),
      ("decimal", .bool(false), "12.50"),
      ("bool", .string("true"), "true or false"),
      ("bool", .integer(2), "true or false"),
      ("name", .integer(1), "a string"),
      ("name", .array([]), "a string"),
      ("date", .string("2024-03-17T13:45:39"), "add the zone, such as Z for UTC"),
      ("date", .bool(true), "seconds since 1970"),
      ("data", .string("not Base64!"), "Base64"),
      ("uuid", .string("E621"), "E621E1F8"),
      ("url", .string(""), "https://"),
      ("list", .string("a"), "a list"),
      ("custom", .string("red"), "remove the key"),
      ("place", .string("here"), "x, label"),
      ("place", .object([SeedField(key: "y", value: .integer(1))]), "its elements are: x, label"),
      ("place", .object([SeedField(key: "x", value: .string("1"))]), "a number"),
    ] as [(String, SeedValue, String)]
  )
  func refuses(name: String, value: SeedValue, remedy: String) throws {
    let failure = #expect(throws: AttributeConversion.Failure.self) { try convert(value, name) }
    #expect(failure?.remedy.contains(remedy) == true, "\(String(describing: failure))")
  }

  @Test(
    "a value of every type is saved to the store and read back unchanged",
    arguments: TestStore.Kind.allCases
  )
  func roundTrip(kind: TestStore.Kind) throws {
    let store = try TestStore(kind, TestModel.things(hasComposite: kind == .inMemory))
    let json = """
      {"things": [{
        "name": "one", "int16": -1, "int32": 2, "int64": 9007199254740993, "double": 0.1, "float": 0.1,
        "decimal": 12.345, "bool": true, "date": "2024-03-17T13:45:39.5Z", "data": "AQID",
        "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "url": "https://example.com/x"
      }]}
      """
    try store.seed(json)
    #expect(try store.first("Thing", "int64", as: Int64.self) == 9_007_199_254_740_993)
    #expect(
      try store.first("Thing", "decimal", as: NSDecimalNumber.self)?.decimalValue == Decimal(string: "12.345")
    )
    #expect(try store.first("Thing", "data", as: Data.self) == Data([1, 2, 3]))
    #expect(try store.first("Thing", "url", as: URL.self)?.absoluteString == "https://example.com/x")
    #expect(try store.seed(json, policy: .always).description == "Thing: 1 unchanged")
  }
}
