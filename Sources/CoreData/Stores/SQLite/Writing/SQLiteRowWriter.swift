import Foundation
import GRDB
import GRDBSQLite

/// Binds the slots of rows to the parameters of one prepared statement, straight from the rows'
/// memory.
struct SQLiteRowWriter {
  private struct Field {
    let slot: Int
    let content: SQLRowPlan.Field.Content
    let hasEntityColumn: Bool
    let elements: [CompositeElement]
  }

  let statement: Statement
  // Belongs to the statement, which the writer keeps alive.
  private let raw: OpaquePointer
  private let fields: [Field]
  private let layout: EntityLayout
  /// Whoever has the session has the writer, which must not keep it and the statement alive.
  private unowned let session: SQLiteWriteSession
  private let database: Database

  init(_ sql: String, _ entity: SQLEntity, slots: [Int], session: SQLiteWriteSession) throws {
    database = session.database
    statement = try database.cachedStatement(sql: sql)
    raw = statement.sqliteStatement
    layout = entity.layout
    self.session = session
    fields = slots.map { slot in
      Field(
        slot: slot,
        content: SQLRowPlan.content(entity.layout.slots[slot]),
        hasEntityColumn: entity.slots[slot]?.entityColumn != nil,
        elements: entity.slots[slot]?.elements.map(\.element) ?? []
      )
    }
  }

  func bind(_ value: Int64, at index: Int32) {
    sqlite3_bind_int64(raw, index, value)
  }

  /// Binds the slots of a row.
  ///
  /// - Returns: the number of the parameter after the last.
  func bind(_ row: Row, from start: Int32) throws -> Int32 {
    var index = start
    for field in fields {
      if !field.elements.isEmpty {
        index = try bindElements(row, field, from: index)
        continue
      }
      let place = row.base + layout.offset(field.slot)
      let code: Int32
      if !EntityLayout.hasValue(row.base, field.slot) {
        code = sqlite3_bind_null(raw, index)
        if field.hasEntityColumn {
          index += 1
          sqlite3_bind_null(raw, index)
        }
      } else {
        switch field.content {
        case .integer, .boolean: code = sqlite3_bind_int64(raw, index, place.load(as: Int64.self))
        case .real: code = sqlite3_bind_double(raw, index, place.load(as: Double.self))
        case .text: code = SQLiteQuery.bind(place.load(as: String.self), to: raw, at: index)
        case .reference:
          let reference = try session.permanentReference(
            for: place.load(as: ObjectReference.self),
            from: layout,
            field.slot
          )
          code = sqlite3_bind_int64(raw, index, reference.key)
          if field.hasEntityColumn {
            index += 1
            bind(try session.entityNumber(of: reference), at: index)
          }
        case .data, .externalData, .uuid, .decimal, .uri, .transformable, .composite:
          let value = try session.binding(
            row.value(field.slot),
            as: field.content,
            layout.slots[field.slot]
          )
          code = SQLiteQuery.bind(value, to: raw, at: index)
        }
      }
      guard code == SQLITE_OK else { throw database.failure(code, sql: statement.sql) }
      index += 1
    }
    return index
  }

  /// Binds the elements of a composite attribute, each to its own parameter.
  private func bindElements(_ row: Row, _ field: Field, from start: Int32) throws -> Int32 {
    var index = start
    let slot = layout.slots[field.slot]
    var composite = CompositeValue([:])
    if case .object(let value as [String: Any]) = row.value(field.slot) { composite = CompositeValue(value) }
    for element in field.elements {
      let attribute = element.attribute
      let value = composite[element.path.joined(separator: ".")]
      guard let stored = AttributeValue.stored(value, of: attribute) else {
        throw StoreFailure.error(
          NSPersistentStoreSaveError,
          "\(slot.property.modelPath): \(value ?? "nil") is no value of its element \(attribute.name)."
        )
      }
      let bound = try SQLiteBinding.value(stored, of: attribute)
      let code = SQLiteQuery.bind(bound, to: raw, at: index)
      guard code == SQLITE_OK else { throw database.failure(code, sql: statement.sql) }
      index += 1
    }
    return index
  }

  /// Runs the statement with what is bound.
  ///
  /// - Returns: the number of rows that it changed.
  func run() throws -> Int {
    let code = sqlite3_step(raw)
    defer { sqlite3_reset(raw) }
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      throw database.failure(code, sql: statement.sql)
    }
    return Int(sqlite3_changes(database.sqliteConnection))
  }

  /// Runs a statement that returns keys.
  ///
  /// - Returns: the key and the number of the entity of the row; `nil` when it did nothing.
  func runReturningKey() throws -> (key: Int64, entity: Int64)? {
    let code = sqlite3_step(raw)
    defer { sqlite3_reset(raw) }
    switch code {
    case SQLITE_ROW: return (sqlite3_column_int64(raw, 0), sqlite3_column_int64(raw, 1))
    case SQLITE_DONE: return nil
    default: throw database.failure(code, sql: statement.sql)
    }
  }

  /// The key that the statement, a query, finds with what is bound.
  func key() throws -> Int64? {
    let code = sqlite3_step(raw)
    defer { sqlite3_reset(raw) }
    if code == SQLITE_ROW { return sqlite3_column_int64(raw, 0) }
    guard code == SQLITE_DONE else { throw database.failure(code, sql: statement.sql) }
    return nil
  }
}

/// Makes the values that columns keep of attributes' values.
enum SQLiteBinding {
  /// The value that rows have when nothing was said; `nil` when that is null.
  static func defaultValue(of attribute: NSAttributeDescription) throws -> SQLValue? {
    let stored = AttributeValue.defaultValue(of: attribute)
    if case .null = stored { return nil }
    let value = try value(stored, of: attribute)
    if attribute.allowsExternalBinaryDataStorage, case .blob(let data) = value {
      return .blob(ExternalDataFolder.inline(data))
    }
    return value
  }

  /// The value that a column keeps of an attribute's value, as long as it keeps the value itself.
  static func value(_ stored: StoredValue, of attribute: NSAttributeDescription) throws -> SQLValue {
    switch stored {
    case .null: return .null
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .text(let value): return .text(value)
    case .data(let data): return .blob(data)
    case .uuid(let uuid): return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    case .decimal(let decimal): return SQLConstants.binding(decimal) ?? .null
    case .object(let url as URL) where attribute.attributeType == .URIAttributeType:
      return .text(url.absoluteString)
    case .object(let object) where attribute.attributeType == .transformableAttributeType:
      return .blob(try AttributeCoding.encode(object, attribute))
    case .object, .reference:
      throw StoreFailure.error(
        NSPersistentStoreSaveError,
        "\(attribute.modelPath): \(stored) is no value of the attribute's type."
      )
    }
  }
}
