import Foundation
import GRDBSQLite

/// Decodes the values of groups straight from the statement.
struct SQLiteAggregateReader {
  private enum Content {
    case integer, truth, real, number, sum, exact, text, decimal, uuid, uri, data
    /// The key of an object of the entity with this number in the model.
    case reference(Int32)
  }

  private let contents: [Content]
  private let store: Int32

  /// The first whole number behind which floating-point numbers do not tell all of them apart.
  private static let exactLimit = 0x1p53

  /// - Parameter store: the index of the store, for references.
  init(_ query: AggregateQuery, store: Int32) {
    contents = query.values.map(Self.content)
    self.store = store
  }

  private static func content(_ value: AggregateValue) -> Content {
    switch value {
    case _ where value.isExact: return .exact
    case .count, .function(.count, _): return .integer
    case .function(.average, _): return .real
    case .function(.sum, let expression):
      return expression.kind.type == .integer64AttributeType ? .integer : .sum
    case .key, .function(.minimum, _), .function(.maximum, _), .calculation: break
    }
    switch value.kind {
    case .object(let entity): return .reference(entity.layout.number)
    case .wholeNumber, .calculated, .number(fromDates: false): return .number
    case .number(fromDates: true): return .real
    case .text: return .text
    case .attribute(let attribute):
      switch attribute.attributeType {
      case .booleanAttributeType: return .truth
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return .integer
      case .doubleAttributeType, .floatAttributeType, .dateAttributeType: return .real
      case .decimalAttributeType: return .decimal
      case .UUIDAttributeType: return .uuid
      case .URIAttributeType: return .uri
      case .binaryDataAttributeType: return .data
      default: return .text
      }
    }
  }

  /// Appends the values of the row that the statement stands on.
  ///
  /// - Returns: false where a value is not what the model says, and one of the objects has to tell
  ///   what is wrong with it.
  func read(_ statement: OpaquePointer, into rows: inout AggregateRows) -> Bool {
    for (index, content) in contents.enumerated() {
      let column = Int32(index)
      let type = sqlite3_column_type(statement, column)
      let cell = SQLiteCell(statement: statement, column: column, type: type)
      guard let value = Self.value(cell, content, store) else { return false }
      rows.values.append(value)
    }
    return true
  }

  private static func value(_ cell: SQLiteCell, _ content: Content, _ store: Int32) -> StoredValue? {
    switch (content, cell.type) {
    case (.sum, SQLITE_NULL): .real(.nan)
    case (_, SQLITE_NULL): .null
    case (.integer, SQLITE_INTEGER), (.number, SQLITE_INTEGER), (.sum, SQLITE_INTEGER): .integer(cell.int64)
    case (.truth, SQLITE_INTEGER) where 0...1 ~= cell.int64: .integer(cell.int64)
    case (.number, SQLITE_FLOAT), (.sum, SQLITE_FLOAT), (.real, SQLITE_FLOAT), (.real, SQLITE_INTEGER):
      .real(cell.double)
    case (.text, SQLITE_TEXT): (try? cell.text()).map(StoredValue.text)
    case (.exact, SQLITE_INTEGER): .integer(cell.int64)
    case (.exact, SQLITE_TEXT): (try? cell.decimal()).map(StoredValue.decimal)
    case (.decimal, SQLITE_INTEGER): .decimal(Decimal(cell.int64))
    case (.decimal, SQLITE_FLOAT) where abs(cell.double) < exactLimit:
      (try? cell.decimal()).map(StoredValue.decimal)
    case (.uuid, SQLITE_BLOB): (try? cell.uuid()).map(StoredValue.uuid)
    case (.uri, SQLITE_TEXT): (try? cell.url()).map { StoredValue.object($0) }
    case (.data, SQLITE_BLOB): (try? cell.bytes()).map { StoredValue.data(Data($0)) }
    case (.reference(let entity), SQLITE_INTEGER) where cell.int64 > 0:
      .reference(ObjectReference(key: cell.int64, entity: entity, store: store))
    default: nil
    }
  }
}

extension SQLiteCell {
  fileprivate var int64: Int64 { sqlite3_column_int64(statement, column) }

  fileprivate var double: Double { sqlite3_column_double(statement, column) }
}
