import Foundation
import GRDB
import GRDBSQLite

extension SQLiteStore {
  func commit(_ changes: ChangeSet) throws -> CommitOutcome {
    let engine = try writableEngine()
    let changed = changedMetadata
    if changes.isEmpty, changed == nil { return .saved(permanentReferences: [:]) }
    return try reading("The save failed") {
      let plan = try SQLSavePlan(changes, schema: engine.schema)
      var save: SQLiteSave?
      var kept: SQLiteMetadata?
      do {
        try engine.connections.write { database in
          let current = SQLiteSave(plan, store: self, engine: engine, database: database)
          save = current
          try current.run()
          kept = try changed.map { try $0.metadata.write($0.changes.keys, to: database, file: file) }
        }
      } catch let found as SQLiteSave.Conflicts {
        save?.removeNewFiles()
        return found.outcome
      } catch {
        save?.removeNewFiles()
        throw error
      }
      if let kept, let changed { metadataWereKept(kept, changed.changes) }
      save?.removeOldFiles()
      return .saved(permanentReferences: save?.permanent ?? [:])
    }
  }

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    let engine = try writableEngine()
    return try reading("Permanent IDs could not be had") {
      try engine.connections.write { database in
        let keys = SQLitePrimaryKeys(engine: engine, database: database)
        var counts: [Int32: Int] = [:]
        for object in objects { counts[object.layout.rootNumber, default: 0] += 1 }
        var next: [Int32: Int64] = [:]
        for (root, count) in counts { next[root] = try keys.reserve(count, root: root) }
        return objects.map { object in
          let key = next[object.layout.rootNumber, default: 0]
          next[object.layout.rootNumber] = key + 1
          return ObjectReference(key: key, entity: object.layout.number, store: index)
        }
      }
    }
  }

  /// Deletes what a query finds. Validation and delete rules are not run, as Apple's documentation of
  /// `NSBatchDeleteRequest` says; relationships that lead to what is deleted are emptied.
  func deleteAll(_ query: FetchQuery) throws -> [ObjectReference] {
    let engine = try writableEngine()
    return try reading("The batch deletion failed") {
      let entity = try engine.schema.entity(query.entity)
      let fetch = try SQLFetch(query, schema: engine.schema, store: index, dialect: engine.dialect)
      let statement = try fetch.rows([SQLNames.primaryKey, SQLNames.entity])
      let plan = engine.plans.plan(entity, includesSubentities: query.includesSubentities)
      if plan.shapes.isEmpty { return [] }
      var files: [String] = []
      let deleted = try engine.connections.write { database in
        let found = try rows(of: statement, plan, includesRows: false, engine, database).map(\.reference)
        if found.isEmpty { return found }
        let keys = SQLList.integers(found.map(\.key))
        let deletion = SQLBatchDeletion(
          entities: plan.shapes.map(\.entity),
          schema: engine.schema,
          dialect: engine.dialect,
          keys: keys
        )
        if let query = deletion.externalData { files = try fileNames(query, database) }
        for statement in deletion.statements {
          try SQLiteQuery(statement, in: database, isCached: false).run()
        }
        return found
      }
      engine.external.remove(files)
      return deleted
    }
  }

  private func fileNames(_ query: SQLStatement, _ database: Database) throws -> [String] {
    var names: [String] = []
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      for column in 0..<sqlite3_column_count(row) where sqlite3_column_type(row, column) == SQLITE_BLOB {
        let cell = SQLiteCell(statement: row, column: column, type: SQLITE_BLOB)
        if let name = ExternalDataFolder.fileName(try cell.bytes()) { names.append(name) }
      }
    }
    return names
  }

  private func writableEngine() throws -> Engine {
    let engine = try engine()
    if engine.connections.isReadOnly {
      throw StoreFailure.error(
        NSPersistentStoreSaveError,
        "The store \(file.path) was opened read-only and cannot be changed.",
        file: file
      )
    }
    return engine
  }
}
