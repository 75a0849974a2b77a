import Foundation
import GRDB
import GRDBSQLite

/// Binds the slots of rows to the parameters of one prepared statement, straight from the rows' memory.
struct SQLiteRowWriter {
  private struct Field {
    let slot: Int
    let content: SQLRowPlan.Field.Content
    let hasEntityColumn: Bool
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
        hasEntityColumn: entity.slots[slot]?.entityColumn != nil
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
        case .data, .externalData, .uuid, .decimal, .uri, .transformable:
          code = SQLiteQuery.bind(try value(row, field), to: raw, at: index)
        }
      }
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

  private func value(_ row: Row, _ field: Field) throws -> SQLValue {
    switch (row.value(field.slot), field.content) {
    case (.data(let data), .externalData): return .blob(try save.storeExternally(data))
    case (.data(let data), _): return .blob(data)
    case (.uuid(let uuid), _): return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    case (.decimal(let decimal), _): return SQLConstants.binding(decimal) ?? .null
    case (.object(let url as URL), .uri): return .text(url.absoluteString)
    case (.object(let url as NSURL), .uri): return .text(url.absoluteString)
    case (.object(let object), .transformable):
      guard let attribute = layout.slots[field.slot].attribute else { return .null }
      return .blob(try AttributeCoding.encode(object, attribute))
    case (let value, _):
      throw StoreFailure.error(
        NSPersistentStoreSaveError,
        "\(layout.slots[field.slot].property.modelPath): \(value) is no value of the attribute's type."
      )
    }
  }
}
