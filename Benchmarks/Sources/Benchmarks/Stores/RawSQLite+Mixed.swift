import Foundation
import GRDBSQLite

extension RawSQLite {
  /// Steps through all mixed rows, and converts their columns to Swift values.
  func readMixed() throws -> Int64 {
    var sum: Int64 = 0
    try each(MixedStore.query) { row in
      sum &+= MixedDigest.of(
        sqlite3_column_int64(row, 2),
        sqlite3_column_type(row, 3) == SQLITE_NULL ? nil : sqlite3_column_int64(row, 3),
        sqlite3_column_double(row, 4),
        sqlite3_column_int64(row, 5) != 0,
        text(row, 6),
        text(row, 7),
        Date(timeIntervalSinceReferenceDate: sqlite3_column_double(row, 8)),
        try Self.uuid(row, 9),
        Self.decimal(row, 10)
      )
    }
    return sum
  }

  private static func uuid(_ row: OpaquePointer?, _ column: Int32) throws -> UUID {
    guard let bytes = sqlite3_column_blob(row, column), sqlite3_column_bytes(row, column) == 16 else {
      throw Failure(description: "column \(column) is not a UUID")
    }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  /// Reads a decimal number. The column stores an integral number as an integer, and any other as floating point.
  private static func decimal(_ row: OpaquePointer?, _ column: Int32) -> Decimal {
    sqlite3_column_type(row, column) == SQLITE_INTEGER
      ? Decimal(sqlite3_column_int64(row, column)) : Decimal(sqlite3_column_double(row, column))
  }
}
