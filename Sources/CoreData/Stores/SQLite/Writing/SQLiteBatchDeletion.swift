import Foundation
import GRDB
import GRDBSQLite

/// Deletes what a query finds: by one statement where nothing else is to be done for the rows.
final class SQLiteBatchDeletion: SQLiteBatch {
  private let deletion: BatchDeletion

  init(_ deletion: BatchDeletion, store: SQLiteStore, engine: SQLiteStore.Engine, database: Database) {
    self.deletion = deletion
    super.init(store: store, engine: engine, database: database, origin: deletion.query.origin)
  }

  func run() throws {
    let entity = try engine.schema.entity(deletion.query.entity)
    let plan = engine.plans.plan(entity, includesSubentities: deletion.query.includesSubentities)
    if plan.shapes.isEmpty { return }
    let fetch = try SQLFetch(
      deletion.query,
      schema: engine.schema,
      store: store.index,
      dialect: engine.dialect
    )
    let rest = SQLBatchDeletion(
      entities: plan.shapes.map(\.entity),
      schema: engine.schema,
      dialect: engine.dialect
    )
    if history == nil, rest.isOfRowsAlone {
      try delete(try rest.statement(fetch, returnsKeys: deletion.wantsReferences))
    } else {
      try delete(try found(fetch, plan), rest)
    }
  }

  /// By one statement.
  private func delete(_ statement: SQLStatement) throws {
    let query = try SQLiteQuery(statement, in: database, isCached: false)
    guard deletion.wantsReferences else {
      outcome.count = try query.run()
      return
    }
    try query.forEachRow { row in
      note(key: sqlite3_column_int64(row, 0), entity: sqlite3_column_int64(row, 1), isWanted: true)
    }
  }

  /// By keys, and all that leads to the rows with them.
  private func delete(_ found: [FetchedRow], _ rest: SQLBatchDeletion) throws {
    if found.isEmpty { return }
    for row in found {
      guard let entity = engine.schema.entity(modelNumber: row.layout.number) else { continue }
      try history?.deletion(of: row.key, entity)
    }
    try history?.finish()
    let keys = SQLList.integers(found.map(\.key))
    for (relationship, query) in rest.stranded(by: keys) {
      try SQLiteQuery(query, in: database, isCached: false).forEachRow { _ in
        throw BatchDeletion.stranding(relationship)
      }
    }
    if let query = rest.externalData(of: keys) { files.old = try SQLiteStore.fileNames(query, database) }
    for statement in rest.statements(for: keys) {
      try SQLiteQuery(statement, in: database, isCached: false).run()
    }
    outcome.count = found.count
    if deletion.wantsReferences { outcome.references = found.map(\.reference) }
  }

  private func found(_ fetch: SQLFetch, _ plan: SQLRowPlan) throws -> [FetchedRow] {
    try store.rows(
      of: try fetch.rows(fetch.keyColumns),
      plan,
      includesRows: false,
      engine,
      database
    )
  }
}
