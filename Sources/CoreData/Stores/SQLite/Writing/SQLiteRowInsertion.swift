import Foundation
import GRDB

/// Inserts the rows of new objects of one entity, several at once where all of them fit.
struct SQLiteRowInsertion {
  private let group: SQLSavePlan.Group
  private let keys: [Int64]
  private let one: SQLiteRowWriter
  private let several: SQLiteRowWriter
  /// The number of rows that are inserted at once.
  let rowsAtOnce: Int

  init(_ group: SQLSavePlan.Group, keys: [Int64], _ session: SQLiteWriteSession) throws {
    (self.group, self.keys) = (group, keys)
    func writer(rows: Int) throws -> SQLiteRowWriter {
      try SQLiteRowWriter(
        session.statements.insertion(group.entity, slots: group.slots, rows: rows),
        group.entity,
        slots: group.slots,
        session: session
      )
    }
    one = try writer(rows: 1)
    let rows = SQLiteRowsAtOnce.inserted(columns: one.parameterCount)
    rowsAtOnce = group.count < rows ? 1 : rows
    several = rowsAtOnce == 1 ? one : try writer(rows: rowsAtOnce)
  }

  /// Inserts ``rowsAtOnce`` rows.
  ///
  /// - Returns: false when one of them breaks a uniqueness constraint: none is inserted then.
  func insertSeveral(from first: Int) throws -> Bool {
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
