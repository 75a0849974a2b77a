import Foundation
import GRDB
import GRDBSQLite

/// Binds the slots of rows to the parameters of one prepared statement, straight from the rows' memory.
struct SQLiteRowWriter {
  private struct Field {
    let slot: Int
    let content: SQLRowPlan.Field.Content
    let hasEntityColumn: Bool
    let elements: [CompositeElement]
  }

  let statement: Statement
  private let raw: OpaquePointer
  private let fields: [Field]
  private let layout: EntityLayout
  private let save: SQLiteSave

  init(_ sql: String, _ entity: SQLEntity, slots: [Int], save: SQLiteSave) throws {
    statement = try save.database.cachedStatement(sql: sql)
    raw = statement.sqliteStatement
    layout = entity.layout
    self.save = save
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
          let reference = try save.resolved(place.load(as: ObjectReference.self), from: layout, field.slot)
          code = sqlite3_bind_int64(raw, index, reference.key)
          if field.hasEntityColumn {
            index += 1
            bind(try save.number(of: reference), at: index)
          }
        case .data, .externalData, .uuid, .decimal, .uri, .transformable, .composite:
          let attribute = layout.slots[field.slot].attribute
          let value = try value(row.value(field.slot), field.content, attribute, field)
          code = SQLiteQuery.bind(value, to: raw, at: index)
        }
      }
      guard code == SQLITE_OK else { throw save.database.failure(code, sql: statement.sql) }
      index += 1
    }
    return index
  }

  /// Binds the elements of a composite attribute, each to its own parameter.
  private func bindElements(_ row: Row, _ field: Field, from start: Int32) throws -> Int32 {
    var index = start
    var composite = CompositeValue([:])
    if case .object(let value as [String: Any]) = row.value(field.slot) { composite = CompositeValue(value) }
    for element in field.elements {
      let attribute = element.attribute
      let value = composite[element.path.joined(separator: ".")]
      guard let stored = AttributeValue.stored(value, as: attribute.attributeType) else {
        throw wrongValue(value ?? "nil", field)
      }
      let content = SQLRowPlan.content(attribute)
      let bound = try self.value(stored, content == .externalData ? .data : content, attribute, field)
      let code = SQLiteQuery.bind(bound, to: raw, at: index)
      guard code == SQLITE_OK else { throw save.database.failure(code, sql: statement.sql) }
      index += 1
    }
    return index
  }

  /// Runs the statement with what is bound.
  ///
  /// - Returns: how many rows it changed.
  func run() throws -> Int {
    let code = sqlite3_step(raw)
    defer { sqlite3_reset(raw) }
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      throw save.database.failure(code, sql: statement.sql)
    }
    return Int(sqlite3_changes(save.database.sqliteConnection))
  }

  /// The key that the statement, a query, finds with what is bound.
  func key() throws -> Int64? {
    let code = sqlite3_step(raw)
    defer { sqlite3_reset(raw) }
    if code == SQLITE_ROW { return sqlite3_column_int64(raw, 0) }
    guard code == SQLITE_DONE else { throw save.database.failure(code, sql: statement.sql) }
    return nil
  }

  private func value(
    _ stored: StoredValue,
    _ content: SQLRowPlan.Field.Content,
    _ attribute: NSAttributeDescription?,
    _ field: Field
  ) throws -> SQLValue {
    switch (stored, content) {
    case (.null, _): return .null
    case (.integer(let value), _): return .integer(value)
    case (.real(let value), _): return .real(value)
    case (.text(let value), _): return .text(value)
    case (.data(let data), .externalData): return .blob(try save.storeExternally(data))
    case (.data(let data), _): return .blob(data)
    case (.uuid(let uuid), _): return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    case (.decimal(let decimal), _): return SQLConstants.binding(decimal) ?? .null
    case (.object(let url as URL), .uri): return .text(url.absoluteString)
    case (.object(let url as NSURL), .uri): return .text(url.absoluteString)
    case (.object(let object), .transformable):
      guard let attribute else { return .null }
      return .blob(try AttributeCoding.encode(object, attribute))
    case (let value, _): throw wrongValue(value, field)
    }
  }

  private func wrongValue(_ value: Any, _ field: Field) -> any Error {
    StoreFailure.error(
      NSPersistentStoreSaveError,
      "\(layout.slots[field.slot].property.modelPath): \(value) is no value of the attribute's type."
    )
  }
}
