import Foundation
import GRDB
import GRDBSQLite

/// Changes what a query finds by one statement.
final class SQLiteBatchUpdate: SQLiteBatch {
  private let update: BatchUpdate

  init(_ update: BatchUpdate, store: SQLiteStore, engine: SQLiteStore.Engine, database: Database) {
    self.update = update
    super.init(store: store, engine: engine, database: database)
  }

  func run() throws {
    let plan = try SQLBatchUpdate(
      update.query,
      schema: engine.schema,
      store: store.index,
      dialect: engine.dialect
    )
    let assignments = try update.assignments.map { ($0.slot, try value($0, plan.entity)) }
    try noteOldFiles(plan)
    let statement = try plan.statement(assignments, returnsKeys: update.wantsReferences)
    let query = try SQLiteQuery(statement, in: database, isCached: false)
    do {
      guard update.wantsReferences else {
        outcome.count = try query.run()
        return
      }
      try query.forEachRow { row in
        note(key: sqlite3_column_int64(row, 0), entity: sqlite3_column_int64(row, 1), isWanted: true)
      }
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      throw SQLiteConstraintFailure(schema: engine.schema, file: store.file)
        .error(error, valuesOfConstants(), update.query.entity.layout)
    }
  }

  private func value(_ assignment: BatchUpdate.Assignment, _ entity: SQLEntity) throws -> SQLBatchUpdate.Value
  {
    switch assignment.value {
    case .expression(let expression): return .expression(expression)
    case .constant(.reference(let reference)):
      let kept = try resolved(reference, from: entity.layout, assignment.slot)
      return .constant(.integer(kept.key), entity: .integer(try number(of: kept)))
    case .constant(let constant):
      let slot = entity.layout.slots[assignment.slot]
      return .constant(try value(constant, as: SQLRowPlan.content(slot), slot))
    }
  }

  private func noteOldFiles(_ plan: SQLBatchUpdate) throws {
    let columns = externalColumns(plan.entity, update.assignments.map(\.slot))
    if !columns.isEmpty { oldFiles = try store.fileNames(try plan.rows(columns), database) }
  }

  /// The constants of the update as a row, which the error of a broken constraint names.
  private func valuesOfConstants() -> Row {
    let row = Row(layout: update.query.entity.layout)
    for assignment in update.assignments {
      if case .constant(let value) = assignment.value { row.set(value, assignment.slot) }
    }
    return row
  }
}
