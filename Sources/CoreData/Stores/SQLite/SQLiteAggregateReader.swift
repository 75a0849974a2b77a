import CSystemSQLite
import Foundation

/// Decodes the values of groups straight from the statement.
struct SQLiteAggregateReader {
  private let contents: [SQLAggregateContent]
  private let store: Int32

  /// The integer from which on floating-point numbers do not distinguish all integers.
  private static let exactLimit = 0x1p53
  /// The opposite of the least integer: SQLite has no other number for it, and memory an unsigned integer.
  private static let leastOpposite = 0x1p63

  /// - Parameter store: the index of the store, for references.
  init(_ query: AggregateQuery, store: Int32) {
    contents = query.values.map(SQLAggregateContent.init)
    self.store = store
  }

  /// Appends the values of the row that the statement stands on.
  ///
  /// - Returns: false where a value does not have the model's type. Reading the objects then
  ///   reports which one is wrong.
  func read(_ statement: OpaquePointer, into rows: inout AggregateRows) -> Bool {
    for (index, content) in contents.enumerated() {
      let cell = SQLiteCell(statement: statement, column: Int32(index))
      guard let value = Self.value(cell, content: content, store: store) else { return false }
      rows.values.append(value)
    }
    return true
  }

  private static func value(_ cell: SQLiteCell, content: SQLAggregateContent, store: Int32)
    -> StoredValue?
  {
    switch (content, cell.type) {
    case (.sum, SQLITE_NULL): .real(.nan)
    case (_, SQLITE_NULL): .null
    case (.integer, SQLITE_INTEGER), (.number, SQLITE_INTEGER), (.sum, SQLITE_INTEGER): .integer(cell.int64)
    case (.truth, SQLITE_INTEGER) where 0...1 ~= cell.int64: .integer(cell.int64)
    case (.number, SQLITE_FLOAT) where cell.double == leastOpposite: nil
    case (.number, SQLITE_FLOAT), (.sum, SQLITE_FLOAT), (.real, SQLITE_FLOAT), (.real, SQLITE_INTEGER):
      .real(cell.double)
    case (.text, SQLITE_TEXT): (try? cell.text()).map(StoredValue.text)
    case (.exact, SQLITE_INTEGER): .integer(cell.int64)
    case (.exact, SQLITE_TEXT): (try? cell.decimal()).map(StoredValue.decimal)
    case (.decimal, SQLITE_INTEGER): .decimal(Decimal(cell.int64))
    case (.decimal, SQLITE_FLOAT) where abs(cell.double) < exactLimit: (try? cell.decimal()).map(StoredValue.decimal)
    case (.uuid, SQLITE_BLOB): (try? cell.uuid()).map(StoredValue.uuid)
    case (.uri, SQLITE_TEXT): (try? cell.url()).map { StoredValue.object($0) }
    case (.data, SQLITE_BLOB): (try? cell.bytes()).map { StoredValue.data(Data($0)) }
    case (.reference(let entity), SQLITE_INTEGER) where cell.int64 > 0:
      .reference(ObjectReference(key: cell.int64, entity: entity, store: store))
    default: nil
    }
  }
}
