import Foundation
import GRDB
import GRDBSQLite

/// What a store does to many objects at once, without handing them out.
extension SQLiteStore {
  /// Deletes what a query finds. Validation and delete rules are not run, as Apple's documentation of
  /// `NSBatchDeleteRequest` says; relationships that lead to what is deleted are emptied.
  func deleteAll(_ query: FetchQuery) throws -> [ObjectReference] {
    try deleteAll(query, through: engine().connections)
  }

  func deleteAll(_ query: FetchQuery, through target: some SQLiteWriteTarget) throws -> [ObjectReference] {
    let engine = try writableEngine()
    return try reading("The batch deletion failed") {
      let entity = try engine.schema.entity(query.entity)
      let fetch = try SQLFetch(query, schema: engine.schema, store: index, dialect: engine.dialect)
      let statement = try fetch.rows([SQLNames.primaryKey, SQLNames.entity])
      let plan = engine.plans.plan(entity, includesSubentities: query.includesSubentities)
      if plan.shapes.isEmpty { return [] }
      var files = SQLiteFileChanges()
      let deleted = try target.write { database in
        let found = try rows(of: statement, plan, includesRows: false, engine, database).map(\.reference)
        if found.isEmpty { return found }
        let history = SQLiteHistoryWriter(engine, database, origin: query.origin)
        for reference in found {
          guard let entity = engine.schema.entity(modelNumber: reference.entity) else { continue }
          try history?.deletion(of: reference.key, entity)
        }
        try history?.finish()
        let keys = SQLList.integers(found.map(\.key))
        let deletion = SQLBatchDeletion(
          entities: plan.shapes.map(\.entity),
          schema: engine.schema,
          dialect: engine.dialect,
          keys: keys
        )
        if let query = deletion.externalData { files.old = try Self.fileNames(query, database) }
        for statement in deletion.statements {
          try SQLiteQuery(statement, in: database, isCached: false).run()
        }
        return found
      }
      target.release(files, engine.external)
      return deleted
    }
  }

  static func fileNames(_ query: SQLStatement, _ database: Database) throws -> [String] {
    var names: [String] = []
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      for column in 0..<sqlite3_column_count(row) where sqlite3_column_type(row, column) == SQLITE_BLOB {
        let cell = SQLiteCell(statement: row, column: column, type: SQLITE_BLOB)
        if let name = ExternalDataFolder.fileName(try cell.bytes()) { names.append(name) }
      }
    }
    return names
  }

  func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome {
    try insertAll(insertion, through: engine().connections)
  }

  func insertAll(_ insertion: BatchInsertion, through target: some SQLiteWriteTarget) throws -> BatchOutcome {
    let engine = try writableEngine()
    return try reading("The batch insertion failed") {
      var batch: SQLiteBatchInsertion?
      do {
        try target.write { database in
          let current = try SQLiteBatchInsertion(insertion, store: self, engine: engine, database: database)
          batch = current
          try current.run()
        }
      } catch {
        batch?.removeNewFiles()
        throw error
      }
      if let batch { target.release(batch.files, engine.external) }
      return batch?.outcome ?? BatchOutcome()
    }
  }

  func updateAll(_ update: BatchUpdate) throws -> BatchOutcome {
    try updateAll(update, through: engine().connections)
  }

  func updateAll(_ update: BatchUpdate, through target: some SQLiteWriteTarget) throws -> BatchOutcome {
    let engine = try writableEngine()
    return try reading("The batch update failed") {
      var batch: SQLiteBatchUpdate?
      do {
        try target.write { database in
          let current = SQLiteBatchUpdate(update, store: self, engine: engine, database: database)
          batch = current
          try current.run()
        }
      } catch {
        batch?.removeNewFiles()
        throw error
      }
      if let batch { target.release(batch.files, engine.external) }
      return batch?.outcome ?? BatchOutcome()
    }
  }
}
