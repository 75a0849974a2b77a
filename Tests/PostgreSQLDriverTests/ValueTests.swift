#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite("Values", .enabled(if: TestServer.isThere, TestServer.reason))
  struct ValueTests {
    let connection: PostgreSQLConnection

    init() throws { connection = try TestServer.connect() }

    private func answer(_ type: String, _ value: PostgreSQLValue) throws -> PostgreSQLResult {
      try connection.run("SELECT $1::\(type) AS answer", values: [value])
    }

    @Test(
      "Text is read back as it was sent",
      arguments: ["", "a", "Ünïcödé", "\u{10FFFF}", "'\"\\$1; --", "\u{1}\n\r\t", "e\u{301}", "👩‍👩‍👧"]
    )
    func text(_ text: String) throws {
      let result = try answer("text", .text(text))
      #expect(result.text(0, column: 0).map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
      #expect(result.type(0) == PostgreSQLType.text)
      #expect(result.name(0) == "answer")
      #expect(try answer("varchar", .text(text)).text(0, column: 0) == text)
    }

    @Test("Bytes are read back as they were sent")
    func bytes() throws {
      for data in [Data(), Data([0]), Data(0...255), Data("\\x00".utf8)] {
        let result = try answer("bytea", .bytes(data))
        #expect(result.data(0, column: 0) == data)
        #expect(!result.isNull(0, column: 0))
      }
    }

    @Test("Text and bytes of 20 MB are read back as they were sent")
    func large() throws {
      let text = String(repeating: "0123456789abcdeé", count: 20_000_000 / 17)
      #expect(try answer("text", .text(text)).text(0, column: 0) == text)
      let data = Data((0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      #expect(try answer("bytea", .bytes(data)).data(0, column: 0) == data)
    }

    @Test(
      "Integers are read back at their limits",
      arguments: [
        ("int2", Int64(Int16.min), Int64(Int16.max)), ("int4", Int64(Int32.min), Int64(Int32.max)),
        ("int8", Int64.min, Int64.max), ("oid", 0, Int64(UInt32.max)),
      ]
    )
    func integers(_ type: String, _ least: Int64, _ most: Int64) throws {
      for value in [least, -1, 0, 1, most] where value >= least {
        let result = try answer(type, .integer(value))
        #expect(result.integer(0, column: 0) == value)
        #expect(result.real(0, column: 0) == Double(value))
        #expect(result.decimal(0, column: 0) == Decimal(value))
      }
    }

    @Test("Truth values are read back as 0 and 1")
    func truth() throws {
      #expect(try connection.run("SELECT true").integer(0, column: 0) == 1)
      #expect(try connection.run("SELECT false").integer(0, column: 0) == 0)
      #expect(try answer("bool", .text("t")).integer(0, column: 0) == 1)
    }

    @Test(
      "Floating-point numbers are read back bit by bit",
      arguments: [
        0, -0.0, 0.1, -1.5, 1e16, 1e-5, Double.leastNonzeroMagnitude, .leastNormalMagnitude,
        .greatestFiniteMagnitude, .pi, .infinity,
        -.infinity,
      ]
    )
    func reals(_ value: Double) throws {
      let back = try #require(try answer("float8", .real(value)).real(0, column: 0))
      #expect(back.bitPattern == value.bitPattern)
      #expect(try answer("numeric", .real(value)).real(0, column: 0) == value)
    }

    @Test("NaN is read back as NaN")
    func nan() throws {
      #expect(try answer("float8", .real(.nan)).real(0, column: 0)?.isNaN == true)
      #expect(try answer("numeric", .real(.nan)).real(0, column: 0)?.isNaN == true)
      #expect(try answer("float4", .real(0.1)).real(0, column: 0) == Double(Float(0.1)))
    }

    @Test("UUIDs are read back as they were sent")
    func uuid() throws {
      let uuid = UUID()
      #expect(try answer("uuid", .text(uuid.uuidString)).uuid(0, column: 0) == uuid)
    }

    @Test("Null is null for all decoders, and nothing else is")
    func null() throws {
      let result = try connection.run("SELECT $1::int8, $2::text, 0, ''", values: [.null, .null])
      #expect((0..<4).map { result.isNull(0, column: $0) } == [true, true, false, false])
      #expect(
        result.integer(0, column: 0) == nil && result.real(0, column: 0) == nil
          && result.decimal(0, column: 0) == nil
      )
      #expect(
        result.text(0, column: 1) == nil && result.data(0, column: 1) == nil
          && result.uuid(0, column: 1) == nil
      )
    }

    @Test("A column of another type gives nothing")
    func otherType() throws {
      let result = try connection.run("SELECT 'a'::text, 1.5::float8")
      #expect(
        result.integer(0, column: 0) == nil && result.uuid(0, column: 0) == nil
          && result.real(0, column: 0) == nil
      )
      #expect(result.integer(0, column: 1) == nil && result.decimal(0, column: 1) == nil)
    }

    @Test("JSON is read back as text in both of its types")
    func json() throws {
      #expect(try answer("json", .text(#"{"a": 1}"#)).text(0, column: 0) == #"{"a": 1}"#)
      #expect(try answer("jsonb", .text(#"{"a": 1}"#)).text(0, column: 0) == #"{"a": 1}"#)
    }

    @Test("Rows, columns and changes are counted")
    func counts() throws {
      let result = try connection.run("SELECT n, n * n FROM generate_series(1, 1000) AS n")
      #expect(result.rowCount == 1000 && result.columnCount == 2 && result.changedCount == 1000)
      #expect(result.integer(999, column: 1) == 1_000_000)
      try connection.run("CREATE TEMPORARY TABLE counted (n int8)")
      let inserted = try connection.run("INSERT INTO counted SELECT generate_series(1, 7)")
      #expect(inserted.changedCount == 7 && inserted.rowCount == 0)
      #expect(try connection.run("DELETE FROM counted WHERE n > $1", values: [.integer(4)]).changedCount == 3)
      #expect(try connection.run("CREATE TEMPORARY TABLE other ()").changedCount == 0)
    }

    @Test("65,535 values are bound, and no more")
    func mostValues() throws {
      let numbers = (1...65_535).map { "$\($0)" }.joined(separator: ",")
      let values = (1...65_535).map { PostgreSQLValue.integer($0) }
      let result = try connection.run("SELECT cardinality(ARRAY[\(numbers)]::int8[])", values: values)
      #expect(result.integer(0, column: 0) == 65_535)
      let error = try failure { try connection.run("SELECT 1", values: values + [.null]) }
      #expect(error.description.contains("65536"))
      #expect(connection.isUsable)
    }

    @Test("Identifiers are quoted")
    func identifiers() throws {
      #expect(PostgreSQLConnection.identifier(#"a"b C"#) == #""a""b C""#)
      let name = connection.identifier(#"Größe "x""#)
      #expect(try connection.run("SELECT 1 AS \(name)").name(0) == #"Größe "x""#)
    }
  }
#endif
