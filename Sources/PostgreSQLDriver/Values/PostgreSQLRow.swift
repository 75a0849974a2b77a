#if PostgreSQL
  import CPostgreSQL

  /// A row of a result. It does not keep the result alive, which would be done for every value: it is valid as
  /// long as the result is.
  package struct PostgreSQLRow {
    private let raw: OpaquePointer
    // The result's own.
    private let types: UnsafePointer<UInt32>
    private let row: Int32

    init(_ raw: OpaquePointer, types: UnsafePointer<UInt32>, row: Int) {
      self.raw = raw
      self.types = types
      self.row = Int32(row)
    }

    /// A value; `nil` for null.
    package func cell(_ column: Int32) -> PostgreSQLCell? {
      let count = Int(PQgetlength(raw, row, column))
      // A missing row or column is null, too.
      if count == 0, PQgetisnull(raw, row, column) != 0 { return nil }
      let bytes = UnsafeRawBufferPointer(start: PQgetvalue(raw, row, column), count: count)
      return PostgreSQLCell(bytes: bytes, type: types[Int(column)])
    }

    /// A whole number of eight, four or two bytes; `nil` for null and for a value of another type.
    package func wholeNumber(_ column: Int32) -> Int64? {
      let count = PQgetlength(raw, row, column)
      guard count > 0, let value = PQgetvalue(raw, row, column) else { return nil }
      let bytes = UnsafeRawPointer(value)
      switch (types[Int(column)], count) {
      case (PostgreSQLType.int8, 8): return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
      case (PostgreSQLType.int4, 4): return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
      case (PostgreSQLType.int2, 2): return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
      default: return nil
      }
    }
  }
#endif
