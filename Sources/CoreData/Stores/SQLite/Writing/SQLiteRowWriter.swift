import CSystemSQLite
import Foundation
import SQLiteDriver

/// Binds the slots of rows to the parameters of one prepared statement, straight from the rows' memory.
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
  /// The owner of the session also owns the writer, which must not keep the session and its statement alive.
  private unowned let session: SQLiteWriteSession
  private let database: Database

  init(sql: String, entity: SQLEntity, slots: [Int], session: SQLiteWriteSession) throws {
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

  /// Clears the bindings, because a statement that stays prepared would keep them.
  func clear() { sqlite3_clear_bindings(raw) }

  /// The number of parameters of the statement.
  var parameterCount: Int { Int(sqlite3_bind_parameter_count(raw)) }

  func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(raw, index, value) }

  func bind(_ value: SQLValue, at index: Int32) throws {
    let code = SQLiteQuery.bind(value, to: raw, at: index)
    guard code == SQLITE_OK else { throw database.failure(code, sql: statement.sql) }
  }

  /// Binds the slots of a row.
  ///
  /// - Returns: the number of the parameter after the last.
  func bind(_ row: Row, from start: Int32) throws -> Int32 {
    var index = start
    for field in fields {
      if !field.elements.isEmpty {
        index = try bindElements(row, field: field, from: index)
        continue
      }
      let place = row.base + layout.offset(field.slot)
      let code: Int32
      if !EntityLayout.hasValue(row.base, slot: field.slot) {
        code = sqlite3_bind_null(raw, index)
        if field.hasEntityColumn {
          index += 1
          sqlite3_bind_null(raw, index)
        }
      } else {
        switch field.content {
        case .integer, .boolean: code = sqlite3_bind_int64(raw, index, place.load(as: Int64.self))
        case .real: code = sqlite3_bind_double(raw, index, place.load(as: Double.self))
        case .text: code = DatabaseValue.bind(place.load(as: String.self), to: raw, at: index)
        case .reference:
          let reference = try session.references.permanentReference(
            for: place.load(as: ObjectReference.self),
            from: layout,
            slot: field.slot
          )
          code = sqlite3_bind_int64(raw, index, reference.key)
          if field.hasEntityColumn {
            index += 1
            bind(try session.references.entityNumber(of: reference), at: index)
          }
        case .data, .externalData, .uuid, .decimal, .uri, .transformable, .composite:
          let value = try session.binding(row.value(field.slot), as: field.content, slot: layout.slots[field.slot])
          code = SQLiteQuery.bind(value, to: raw, at: index)
        }
      }
      guard code == SQLITE_OK else { throw database.failure(code, sql: statement.sql) }
      index += 1
    }
    return index
  }

  /// Binds the elements of a composite attribute, each to its own parameter.
  private func bindElements(_ row: Row, field: Field, from start: Int32) throws -> Int32 {
    let values = try SQLBinding(dialect: session.engine.dialect)
      .values(of: field.elements, in: row.value(field.slot), of: layout.slots[field.slot].property)
    var index = start
    for value in values {
      let code = SQLiteQuery.bind(value, to: raw, at: index)
      guard code == SQLITE_OK else { throw database.failure(code, sql: statement.sql) }
      index += 1
    }
    return index
  }

  /// Runs the statement with its bindings.
  ///
  /// - Returns: the number of rows that it changed.
  func run() throws -> Int {
    let code = sqlite3_step(raw)
    defer { sqlite3_reset(raw) }
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw database.failure(code, sql: statement.sql) }
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

  /// The key that the query finds with its bindings.
  func key() throws -> Int64? {
    let code = sqlite3_step(raw)
    defer { sqlite3_reset(raw) }
    if code == SQLITE_ROW { return sqlite3_column_int64(raw, 0) }
    guard code == SQLITE_DONE else { throw database.failure(code, sql: statement.sql) }
    return nil
  }
}
