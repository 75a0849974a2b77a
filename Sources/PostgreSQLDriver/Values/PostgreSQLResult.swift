#if PostgreSQL
  import CPostgreSQL
  package import Foundation

  /// The result of a statement, with all values in binary form.
  ///
  /// The decoders return `nil` for null, and where those of ``PostgreSQLCell`` do.
  /// Rows and columns are counted from 0. A value beyond the counts is null.
  package final class PostgreSQLResult: @unchecked Sendable {
    // Never changed after its creation, and freed with the last reference.

    /// The `PGresult`, for callers that decode the cells directly. It lives as long as this object.
    package let raw: OpaquePointer
    /// The number of rows.
    package let rowCount: Int
    /// The number of columns.
    package let columnCount: Int
    /// The types of the columns, which each value asks for.
    private let types: UnsafeMutablePointer<UInt32>

    /// Takes over a `PGresult`.
    init(_ raw: OpaquePointer) {
      self.raw = raw
      rowCount = Int(PQntuples(raw))
      columnCount = Int(PQnfields(raw))
      types = .allocate(capacity: columnCount)
      for column in 0..<columnCount { types[column] = PQftype(raw, Int32(column)) }
    }

    deinit {
      types.deallocate()
      PQclear(raw)
    }

    /// The number of rows that the statement has inserted, changed, deleted, copied or read; 0 for a
    /// statement of another kind.
    package var changedCount: Int { PQcmdTuples(raw).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The server's command tag, such as `INSERT`.
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
    package func isNull(_ row: Int, column: Int) -> Bool { PQgetisnull(raw, Int32(row), Int32(column)) != 0 }

    /// A row, which is valid as long as the result.
    package func row(_ row: Int) -> PostgreSQLRow { PostgreSQLRow(raw, types: types, row: row) }

    /// A value, which lives as long as the result; `nil` for null.
    package func cell(_ row: Int, column: Int) -> PostgreSQLCell? { self.row(row).cell(Int32(column)) }

    /// An integer, a truth value, or the number of an object.
    package func integer(_ row: Int, column: Int) -> Int64? { cell(row, column: column)?.integer }

    /// A floating-point number, or the one that is nearest to an integer or a `numeric`.
    package func real(_ row: Int, column: Int) -> Double? { cell(row, column: column)?.real }

    /// Text of any type whose binary form is text.
    package func text(_ row: Int, column: Int) -> String? { cell(row, column: column)?.text }

    /// The binary form of a value of any type, which for `bytea` is the value.
    package func data(_ row: Int, column: Int) -> Data? { cell(row, column: column).map { Data($0.bytes) } }

    /// A UUID.
    package func uuid(_ row: Int, column: Int) -> UUID? { cell(row, column: column)?.uuid }

    /// The exact value of a `numeric` or an integer.
    package func decimal(_ row: Int, column: Int) -> Decimal? { cell(row, column: column)?.decimal }
  }
#endif
