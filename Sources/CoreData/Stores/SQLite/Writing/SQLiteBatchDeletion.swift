import CSystemSQLite
import Foundation
import SQLiteDriver

/// Deletes the results of a query, by one statement if nothing else has to be done for the rows.
struct SQLiteBatchDeletion {
  let deletion: BatchDeletion
  let session: SQLiteWriteSession

  private var engine: SQLiteStore.Engine { session.engine }

  func run() throws -> BatchOutcome {
    let entity = try engine.schema.entity(deletion.query.entity)
    let plan = engine.plans.plan(entity, includesSubentities: deletion.query.includesSubentities)
    if plan.shapes.isEmpty { return BatchOutcome() }
    let fetch = try SQLFetch(
      try session.reader.answerable(deletion.query, on: session.queries),
      schema: engine.schema,
      store: session.store.index,
      dialect: engine.dialect
    )
    let rest = SQLBatchDeletion(entities: plan.shapes.map(\.entity), schema: engine.schema, dialect: engine.dialect)
    if session.history == nil, rest.isOfRowsAlone {
      return try delete(try rest.statement(fetch, returnsKeys: deletion.wantsReferences))
    }
    return try delete(try found(fetch, plan: plan), rest: rest)
  }

  /// By one statement.
  private func delete(_ statement: SQLStatement) throws -> BatchOutcome {
    let query = try SQLiteQuery(statement, in: session.database, isCached: false)
    guard deletion.wantsReferences else { return BatchOutcome(count: try query.run()) }
    var outcome = BatchOutcome()
    try query.forEachRow { row in
      session.references.count(
        sqlite3_column_int64(row, 0),
        entityNumber: sqlite3_column_int64(row, 1),
        isWanted: true,
        in: &outcome
      )
    }
    return outcome
  }

  /// Deletes by keys, and removes the references to the rows as well.
  private func delete(_ found: [FetchedRow], rest: SQLBatchDeletion) throws -> BatchOutcome {
    if found.isEmpty { return BatchOutcome() }
    for row in found {
      guard let entity = engine.schema.entity(modelNumber: row.layout.number) else { continue }
      try session.history?.deletion(of: row.key, entity: entity)
    }
    try session.flush()
    let keys = SQLList.integers(found.map(\.key))
    for (relationship, query) in rest.stranded(by: keys) {
      try SQLiteQuery(query, in: session.database, isCached: false).forEachRow { _ in
        throw BatchDeletion.stranding(relationship)
      }
    }
    if let query = rest.externalData(of: keys) { try session.recordOldFiles(query) }
    for statement in rest.statements(for: keys) {
      try SQLiteQuery(statement, in: session.database, isCached: false).run()
    }
    return BatchOutcome(count: found.count, references: deletion.wantsReferences ? found.map(\.reference) : [])
  }

  private func found(_ fetch: SQLFetch, plan: SQLRowPlan) throws -> [FetchedRow] {
    try session.reader.rows(
      of: try fetch.rows(fetch.keyColumns),
      plan: plan,
      includesRows: false,
      on: session.queries
    )
  }
}
