#if PostgreSQL
  import CPostgreSQL
  package import Foundation

  /// The result of a statement, with all values in binary form.
  ///
  /// The decoders give `nil` for null, and for a column whose type is none of those that they tell of.
  /// Rows and columns are counted from 0; there is none beyond the counts.
  package final class PostgreSQLResult: @unchecked Sendable {
    // Never changed after its creation, and freed with the last reference.

    /// The `PGresult`, for those who decode by themselves. It lives as long as this object.
    package let raw: OpaquePointer
    /// The number of rows.
    package let rowCount: Int
    /// The number of columns.
    package let columnCount: Int

    /// Takes over a `PGresult`.
    init(_ raw: OpaquePointer) {
      self.raw = raw
      rowCount = Int(PQntuples(raw))
      columnCount = Int(PQnfields(raw))
    }

    deinit { PQclear(raw) }

    /// The number of rows that the statement has inserted, changed, deleted, copied or read; 0 for a
    /// statement of another kind.
    package var changedCount: Int { PQcmdTuples(raw).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The server's word for what was done, such as `INSERT`.
    package var command: String {
      let status = PQcmdStatus(raw).map { String(cString: $0) } ?? ""
      return String(status.prefix { $0 != " " })
    }

    /// The number of a column's type; see ``PostgreSQLType``.
    package func type(_ column: Int) -> UInt32 { PQftype(raw, Int32(column)) }

    /// The name of a column.
    package func name(_ column: Int) -> String {
      PQfname(raw, Int32(column)).map { String(cString: $0) } ?? ""
    }

    /// True for null.
    package func isNull(_ row: Int, _ column: Int) -> Bool {
      PQgetisnull(raw, Int32(row), Int32(column)) != 0
    }

    /// The binary form of a value, which lives as long as the result; nothing for null.
    package func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
      let count = Int(PQgetlength(raw, Int32(row), Int32(column)))
      return UnsafeRawBufferPointer(start: PQgetvalue(raw, Int32(row), Int32(column)), count: count)
    }

    /// An integer, a truth value, or the number of an object.
    package func integer(_ row: Int, _ column: Int) -> Int64? {
      if isNull(row, column) { return nil }
      let type = type(column)
      switch type {
      case PostgreSQLType.bool, PostgreSQLType.int2, PostgreSQLType.int4, PostgreSQLType.int8,
        PostgreSQLType.oid:
        return PostgreSQLCell.integer(bytes(row, column), type: type)
      default: return nil
      }
    }

    /// A floating-point number, or the one that is nearest to an integer or a `numeric`.
    package func real(_ row: Int, _ column: Int) -> Double? {
      if isNull(row, column) { return nil }
      switch type(column) {
      case PostgreSQLType.float4, PostgreSQLType.float8: return PostgreSQLCell.real(bytes(row, column))
      case PostgreSQLType.numeric: return PostgreSQLNumeric(bytes(row, column))?.real
      default: return integer(row, column).map { Double($0) }
      }
    }

    /// Text of any type whose binary form is text, which are those of text, names, JSON and XML, and
    /// types that a schema has made of them.
    package func text(_ row: Int, _ column: Int) -> String? {
      if isNull(row, column) { return nil }
      var bytes = bytes(row, column)
      // The first byte is the version of the form.
      if type(column) == PostgreSQLType.jsonb { bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) }
      return PostgreSQLCell.text(bytes)
    }

    /// The binary form of a value of any type, which for `bytea` is the value.
    package func data(_ row: Int, _ column: Int) -> Data? {
      isNull(row, column) ? nil : Data(bytes(row, column))
    }

    /// A UUID.
    package func uuid(_ row: Int, _ column: Int) -> UUID? {
      if isNull(row, column) || type(column) != PostgreSQLType.uuid { return nil }
      return PostgreSQLCell.uuid(bytes(row, column))
    }

    /// The exact value of a `numeric` or an integer.
    ///
    /// - Returns: `nil` as well for `NaN` and the infinities, for a number that has more digits than a
    ///   `Decimal` holds, which are 38 and a few of 39, or whose exponent is outside of -128 to 127.
    package func decimal(_ row: Int, _ column: Int) -> Decimal? {
      if isNull(row, column) { return nil }
      if type(column) == PostgreSQLType.numeric { return PostgreSQLCell.decimal(bytes(row, column)) }
      return integer(row, column).map { Decimal($0) }
    }
  }
#endif
