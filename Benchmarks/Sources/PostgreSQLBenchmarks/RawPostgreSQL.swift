#if PostgreSQL
  import CLibpq
  import Foundation
  import Samples

  /// Does the work of the store with libpq, on the table that the store has made.
  final class RawPostgreSQL {
    private let connection: OpaquePointer?
    private static let values = (0..<10).map { "a\($0)" }
    private static let columns = ["z_pk", "z_ent", "z_opt"] + values

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// - Parameter schema: the schema of the store.
    init(_ server: URL, schema: String) throws {
      connection = PQconnectdb(server.absoluteString)
      guard PQstatus(connection) == CONNECTION_OK else { throw Failure(description: lastError) }
      try execute("SET search_path TO \"\(schema)\"")
    }

    deinit { PQfinish(connection) }

    private var lastError: String { String(cString: PQerrorMessage(connection)) }

    func execute(_ sql: String) throws { try check(PQexec(connection, sql)) { _ in } }

    private func check(_ result: OpaquePointer?, _ body: (OpaquePointer?) throws -> Void) throws {
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN: try body(result)
      default: throw Failure(description: lastError)
      }
    }

    // MARK: - Reading

    private static let query = "SELECT \(columns.joined(separator: ", ")) FROM sample"

    /// Reads all rows and adds all values.
    func readAll() throws -> Int64 {
      var sum: Int64 = 0
      try check(PQexecParams(connection, Self.query, 0, nil, nil, nil, nil, 1)) { result in
        for row in 0..<PQntuples(result) { sum &+= Self.sum(result, row) }
      }
      return sum
    }

    /// Reads rows one by one with a prepared statement.
    func readByKey(_ keys: [Int64]) throws -> Int64 {
      try check(PQprepare(connection, "key", Self.query + " WHERE z_pk = $1::bigint", 1, nil)) { _ in }
      defer { PQclear(PQexec(connection, "DEALLOCATE key")) }
      var sum: Int64 = 0
      for key in keys {
        try run("key", [Self.bytes(key)]) { result in
          guard PQntuples(result) == 1 else { throw Failure(description: "there is no row \(key)") }
          sum &+= Self.sum(result, 0)
        }
      }
      return sum
    }

    private static func sum(_ result: OpaquePointer?, _ row: Int32) -> Int64 {
      var sum: Int64 = 0
      for column in Int32(3)..<13 {
        guard let value = PQgetvalue(result, row, column) else { continue }
        let integer = UnsafeRawPointer(value).loadUnaligned(as: Int64.self)
        sum &+= Int64(bigEndian: integer)
      }
      return sum
    }

    // MARK: - Writing

    /// Inserts a thousand rows with each statement, as arrays.
    func insert(_ count: Int) throws {
      let unnested = (0..<11).map { "$\($0 + 1)::bigint[]" }.joined(separator: ", ")
      let names = (["k"] + Self.values).joined(separator: ", ")
      try write(
        """
        INSERT INTO sample (\(Self.columns.joined(separator: ", "))) SELECT k, 1, 1, \
        \(Self.values.joined(separator: ", ")) FROM unnest(\(unnested)) AS r(\(names))
        """,
        count,
        parameters: 11
      ) { rows in
        [Self.array(rows.map { Int64($0 + 1) })]
          + (0..<10).map { column in Self.array(rows.map { Sample.value($0, column) }) }
      }
    }

    /// Changes one value of each row if it has the expected version, and returns which rows had it.
    func update(_ count: Int) throws {
      try write(
        """
        UPDATE sample AS t SET a0 = r.a, z_opt = r.v + 1 \
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS r(k, v, a) \
        WHERE t.z_pk = r.k AND t.z_opt = r.v RETURNING r.k
        """,
        count,
        parameters: 3
      ) { rows in
        [
          Self.array(rows.map { Int64($0 + 1) }), Self.array(rows.map { _ in 1 }),
          Self.array(rows.map { Int64($0 + 7) }),
        ]
      }
    }

    private func write(
      _ sql: String,
      _ count: Int,
      parameters: Int32,
      _ values: (Range<Int>) -> [[UInt8]]
    ) throws {
      try execute("BEGIN")
      try check(PQprepare(connection, "write", sql, parameters, nil)) { _ in }
      for first in stride(from: 0, to: count, by: 1000) {
        try run("write", values(first..<min(first + 1000, count))) { _ in }
      }
      try execute("COMMIT")
      try execute("DEALLOCATE write")
    }

    /// Copies rows into the table in binary format, 64 KiB at a time.
    func copy(_ count: Int) throws {
      let (entity, version) = (try width(of: "z_ent"), try width(of: "z_opt"))
      try check(
        PQexec(connection, "COPY sample (\(Self.columns.joined(separator: ", "))) FROM STDIN (FORMAT binary)")
      ) {
        _ in
      }
      var buffer: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + Array(repeating: 0, count: 8)
      for row in 0..<count {
        buffer += [0, 13]
        Self.append(Int64(row + 1), 8, to: &buffer)
        Self.append(1, entity, to: &buffer)
        Self.append(1, version, to: &buffer)
        for column in 0..<10 { Self.append(Sample.value(row, column), 8, to: &buffer) }
        if buffer.count >= 65536 {
          try put(buffer)
          buffer.removeAll(keepingCapacity: true)
        }
      }
      try put(buffer + [0xFF, 0xFF])
      guard PQputCopyEnd(connection, nil) == 1 else { throw Failure(description: lastError) }
      while let result = PQgetResult(connection) { try check(result) { _ in } }
    }

    private func put(_ bytes: [UInt8]) throws {
      let isPut = bytes.withUnsafeBytes { bytes in
        PQputCopyData(
          connection,
          bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(bytes.count)
        )
      }
      guard isPut == 1 else { throw Failure(description: lastError) }
    }

    /// The size of a column's integers, in bytes.
    private func width(of column: String) throws -> Int {
      var width = 0
      let query = """
        SELECT attlen FROM pg_attribute WHERE attrelid = 'sample'::regclass AND attname = '\(column)'
        """
      try check(PQexec(connection, query)) { result in
        width = Int(String(cString: PQgetvalue(result, 0, 0))) ?? 0
      }
      return width
    }

    private func run(_ name: String, _ values: [[UInt8]], _ body: (OpaquePointer?) throws -> Void) throws {
      let bytes = values.flatMap { $0 }
      let lengths = values.map { Int32($0.count) }
      let formats = values.map { _ in Int32(1) }
      let result = bytes.withUnsafeBytes { buffer in
        var offset = 0
        let pointers = values.map { value in
          defer { offset += value.count }
          return buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
        }
        return PQexecPrepared(connection, name, Int32(values.count), pointers, lengths, formats, 1)
      }
      try check(result, body)
    }

    private static func bytes(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }

    /// Appends a value of a copied row, preceded by its length.
    private static func append(_ value: Int64, _ width: Int, to buffer: inout [UInt8]) {
      withUnsafeBytes(of: UInt32(width).bigEndian) { buffer.append(contentsOf: $0) }
      withUnsafeBytes(of: value.bigEndian) { buffer.append(contentsOf: $0.suffix(width)) }
    }

    /// An array of 8-byte integers in the server's binary format.
    private static func array(_ values: [Int64]) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(20 + values.count * 12)
      // One dimension, no nulls, the type int8, the number of elements, and the first index 1.
      for number in [1, 0, 20, UInt32(values.count), 1] as [UInt32] {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
      }
      for value in values { append(value, 8, to: &bytes) }
      return bytes
    }
  }
#endif
