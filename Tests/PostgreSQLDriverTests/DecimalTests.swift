#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite("Decimals", .enabled(if: TestServer.isThere, TestServer.reason))
  struct DecimalTests {
    let connection: PostgreSQLConnection

    init() throws { connection = try TestServer.connect() }

    private func decimal(_ text: String) throws -> Decimal? {
      try connection.run("SELECT $1::numeric", values: [.text(text)]).decimal(0, column: 0)
    }

    @Test(
      "A decimal is read back exactly",
      arguments: [
        "0", "1", "-1", "0.1", "-0.0001", "10000", "9999", "10001.0001", "1.50", "123456789.987654321",
        "1e30", "-1e-20",
        "1e-20", "1e127", "1e-128", "99999999999999999999999999999999999999",
        "-0.99999999999999999999999999999999999999", "1234567890123456789.0123456789012345678",
        "340282366920938463463374607431768211455", "0.00001000", "100000000000000000000000000000000000000000",
      ]
    )
    func exact(_ text: String) throws {
      let value = try #require(try decimal(text))
      // The server compares the number with the text that Foundation prints for it.
      let query = "SELECT $1::numeric = $2::numeric"
      #expect(try connection.run(query, values: [.text(text), .text("\(value)")]).integer(0, column: 0) == 1)
      if text.count < 12 { #expect(value == Decimal(string: text)) }
    }

    @Test(
      "A number beyond the range of Decimal is nil",
      arguments: [
        "NaN", "Infinity", "-Infinity", "1e-129", "1e128", "340282366920938463463374607431768211456", "1e170",
      ]
    )
    func none(_ text: String) throws { #expect(try decimal(text) == nil) }

    @Test("Each power of ten is read back exactly")
    func powers() throws {
      for exponent in -128...127 {
        #expect(try decimal("1e\(exponent)") == Decimal(sign: .plus, exponent: exponent, significand: 1))
        let negative = try decimal("-12345e\(max(-128, exponent - 5))")
        #expect(negative == Decimal(sign: .minus, exponent: max(-128, exponent - 5), significand: 12345))
      }
    }

    @Test("Bytes that are not a number are nil")
    func malformed() {
      for bytes in [[], [0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 0, 0]] as [[UInt8]] {
        #expect(
          bytes.withUnsafeBytes { PostgreSQLCell(bytes: $0, type: PostgreSQLType.numeric).decimal } == nil
        )
        #expect(bytes.withUnsafeBytes { PostgreSQLCell(bytes: $0, type: PostgreSQLType.uuid).uuid } == nil)
        #expect(
          bytes.withUnsafeBytes { PostgreSQLCell(bytes: $0, type: PostgreSQLType.float8).real } == nil
            || bytes.count == 8
        )
      }
    }
  }
#endif
