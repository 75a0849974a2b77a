import Foundation
import SQLiteDriver

/// Inserts the rows of new objects of one entity, several at once if all of them fit.
struct SQLiteRowInsertion {
  private let group: SQLSavePlan.Group
  private let keys: [Int64]
  private let one: SQLiteRowWriter
  private let several: SQLiteRowWriter
  /// The number of rows that are inserted at once.
  let rowsAtOnce: Int
  /// The slots of values that may be large.
  private let sizedSlots: [Int]

  init(group: SQLSavePlan.Group, keys: [Int64], session: SQLiteWriteSession) throws {
    (self.group, self.keys) = (group, keys)
    func writer(rows: Int) throws -> SQLiteRowWriter {
      try SQLiteRowWriter(
        sql: session.statements.insertion(group.entity, slots: group.slots, rows: rows),
        entity: group.entity,
        slots: group.slots,
        session: session
      )
    }
    one = try writer(rows: 1)
    let contents = group.slots.map { ($0, SQLRowPlan.content(group.entity.layout.slots[$0])) }
    let rows =
      contents.contains { Self.isMadeForItsRow($0.1) }
      ? 1 : SQLiteRowsPerStatement.inserted(columns: one.parameterCount)
    rowsAtOnce = group.count < rows ? 1 : rows
    several = rowsAtOnce == 1 ? one : try writer(rows: rowsAtOnce)
    sizedSlots = contents.filter { Self.mayBeLarge($0.1) }.map(\.0)
  }

  /// True for archives and for values in files of their own: they are created during binding, and must be created
  /// only once.
  private static func isMadeForItsRow(_ content: SQLRowPlan.Field.Content) -> Bool {
    switch content {
    case .externalData, .transformable, .composite: true
    case .integer, .boolean, .real, .text, .data, .uuid, .decimal, .uri, .reference: false
    }
  }

  private static func mayBeLarge(_ content: SQLRowPlan.Field.Content) -> Bool {
    switch content {
    case .text, .data: true
    default: false
    }
  }

  /// Inserts ``rowsAtOnce`` rows.
  ///
  /// - Returns: false when one of them breaks a uniqueness constraint, or they are large: none is inserted then.
  func insertSeveral(from first: Int) throws -> Bool {
    guard areSmall(first..<first + rowsAtOnce) else { return false }
    var parameter: Int32 = 1
    for index in first..<first + rowsAtOnce {
      guard let next = try bind(index, to: several, from: parameter) else { return false }
      parameter = next
    }
    do {
      _ = try several.run()
      return true
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      return false
    }
  }

  private func areSmall(_ indices: Range<Int>) -> Bool {
    if sizedSlots.isEmpty { return true }
    var bytes = 0
    for index in indices {
      guard let row = group.row(index) else { continue }
      for slot in sizedSlots { bytes += row.byteCount(slot) }
      if bytes > SQLiteRowsPerStatement.mostBytes { return false }
    }
    return true
  }

  /// Clears the last bindings of the statements.
  func clear() {
    one.clear()
    several.clear()
  }

  /// The statement that inserts one row, with its values; `nil` for an object without any.
  func single(_ index: Int) throws -> SQLiteRowWriter? {
    try bind(index, to: one, from: 1).map { _ in one }
  }

  private func bind(_ index: Int, to writer: SQLiteRowWriter, from parameter: Int32) throws -> Int32? {
    guard let row = group.row(index) else { return nil }
    writer.bind(keys[index], at: parameter)
    writer.bind(group.entity.number, at: parameter + 1)
    writer.bind(1, at: parameter + 2)
    return try writer.bind(row, from: parameter + 3)
  }
}
