#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Rows in the binary format of COPY: <https://www.postgresql.org/docs/current/sql-copy.html>.
  struct PostgreSQLCopyData {
    private var bytes: [UInt8] =
      Array("PGCOPY\n".utf8) + [0xFF] + Array("\r\n\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]
    private let table: String
    private let columns: [PostgreSQLBulkInsertion.Column]

    init(table: String, columns: [PostgreSQLBulkInsertion.Column]) {
      self.table = table
      self.columns = columns
    }

    /// The data of all rows.
    mutating func finished() -> Data {
      append(Int16(-1))
      return Data(bytes)
    }

    /// Adds a row with a value for each column.
    ///
    /// - Throws: an error for a value that does not have its column's type.
    mutating func append(_ row: [SQLValue]) throws {
      append(Int16(columns.count))
      for (column, value) in zip(columns, row) {
        if case .null = value {
          append(Int32(-1))
        } else if !append(value, type: column.type) {
          throw StoreFailure.error(
            NSPersistentStoreSaveError,
            message: "A value is too large for \(table).\(column.name), or none of its type, \(column.type)."
          )
        }
      }
    }

    /// - Returns: false for a value that the type cannot represent.
    private mutating func append(_ value: SQLValue, type: String) -> Bool {
      switch (type, value) {
      case ("bigint", .integer(let number)): appendValue(number)
      case ("integer", .integer(let number)):
        guard let number = Int32(exactly: number) else { return false }
        appendValue(number)
      case ("smallint", .integer(let number)):
        guard let number = Int16(exactly: number) else { return false }
        appendValue(number)
      case ("boolean", .integer(let number)): appendValue(UInt8(number == 0 ? 0 : 1))
      case ("double precision", .real(let number)): appendValue(number.bitPattern)
      case ("double precision", .integer(let number)): appendValue(Double(number).bitPattern)
      case ("numeric", .text(let text)):
        guard let digits = PostgreSQLNumericText.bytes(of: text) else { return false }
        appendBytes(digits)
      case ("numeric", .integer(let number)):
        guard let digits = PostgreSQLNumericText.bytes(of: String(number)) else { return false }
        appendBytes(digits)
      case ("text", .text(let text)):
        append(Int32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
      case ("uuid", .text(let text)):
        guard let uuid = UUID(uuidString: text) else { return false }
        append(Int32(16))
        withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
      case ("bytea", .blob(let data)): appendBytes(data)
      default: return false
      }
      return true
    }

    private mutating func appendBytes(_ value: some Collection<UInt8>) {
      append(Int32(value.count))
      bytes.append(contentsOf: value)
    }

    private mutating func appendValue(_ value: some FixedWidthInteger) {
      append(Int32(value.bitWidth / 8))
      append(value)
    }

    private mutating func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
  }
#endif
