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

  private func value(_ row: Row, _ field: Field) throws -> SQLValue {
    let value = row.value(field.slot)
    if case .data(let data) = value, case .externalData = field.content {
      return .blob(try save.storeExternally(data))
    }
    guard let attribute = layout.slots[field.slot].attribute else { return .null }
    return try SQLiteBinding.value(value, of: attribute)
  }
}
