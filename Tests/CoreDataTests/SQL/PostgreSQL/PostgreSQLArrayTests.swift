#if PostgreSQL
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite("Arrays that statements bind")
  struct PostgreSQLArrayTests {
    private static let numbers: [SQLValue] = [
      .integer(0), .integer(1), .integer(-1), .integer(32_767), .integer(-32_768), .integer(2_147_483_647),
      .integer(.min), .integer(.max), .real(0.1), .real(-.infinity), .real(.greatestFiniteMagnitude), .null,
    ]

    @Test(
      "an array is sent as text if one element does not fit the number type",
      arguments: ["bigint", "integer", "smallint", "boolean", "double precision"]
    )
    func mixed(type: String) {
      for count in 0...3 {
        var array = PostgreSQLArray(type: type)
        for _ in 0..<count { array.append(.integer(1)) }
        if case .text = array.value { Issue.record("\(type) has no binary form") }
        array.append(.text("a,b"))
        let before = type == "double precision" ? "1.0," : "1,"
        #expect(array.value == .text("{\(String(repeating: before, count: count))\"a,b\"}"))
        #expect(array.count == count + 1)
      }
    }

    @Test("arrays have the same elements in binary form as in text")
    func forms() {
      for type in ["bigint", "double precision"] {
        var array = PostgreSQLArray(type: type)
        for number in Self.numbers {
          if case .real = number, type == "bigint" { continue }
          array.append(number)
        }
        guard case .bytes(let data) = array.value else {
          Issue.record("\(type) has no binary form")
          continue
        }
        #expect(Array(data[0..<8]) == [0, 0, 0, 1, 0, 0, 0, 1])
        let text = type == "bigint" ? "-9223372036854775808,9223372036854775807,NULL}" : "NULL}"
        #expect(array.text.hasPrefix("{0") && array.text.hasSuffix(text))
      }
    }

    @Test(
      "arrays arrive at the server unchanged",
      .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
    )
    func arrival() throws {
      let connection = try PostgreSQLConnection(PostgreSQLAddress(#require(StoreKind.postgreSQLServer)))
      for (type, values) in [
        ("bigint", [.integer(.min), .null, .integer(.max)]), ("integer", [.integer(-7), .null]),
        ("smallint", [.integer(-32_768)]), ("boolean", [.integer(1), .integer(0), .null]),
        ("double precision", [.real(0.1), .real(.infinity), .integer(3), .null]), ("bigint", []),
        ("text", [.text("a\"b\\,"), .null, .text("")]),
      ] as [(String, [SQLValue])] {
        var array = PostgreSQLArray(type: type)
        for value in values { array.append(value) }
        let rows = try connection.run(
          "SELECT e::text FROM unnest($1::\(type)[]) AS r(e)",
          values: [array.value]
        )
        let expected = values.map { value -> String? in
          switch value {
          case .null: nil
          case .integer(let number) where type == "boolean": number == 0 ? "false" : "true"
          case .integer(let number): "\(number)"
          case .real(let number): number == .infinity ? "Infinity" : "\(number)"
          case .text(let text): text
          case .blob: nil
          }
        }
        #expect((0..<rows.rowCount).map { rows.text($0, column: 0) } == expected)
      }
    }
  }
#endif
