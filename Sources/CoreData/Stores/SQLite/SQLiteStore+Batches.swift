import Foundation
import GRDB
import GRDBSQLite

/// What a store does to many objects at once, without handing them out.
extension SQLiteStore {
  /// Deletes what a query finds. Validation and delete rules are not run, as Apple's documentation of
  /// `NSBatchDeleteRequest` says; relationships that lead to what is deleted are emptied.
  func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome {
    try deleteAll(deletion, through: engine().connections)
  }

  func deleteAll(_ deletion: BatchDeletion, through target: some SQLiteWriteTarget) throws -> BatchOutcome {
    let engine = try writableEngine()
    return try reading("The batch deletion failed") {
      var batch: SQLiteBatchDeletion?
      try target.write { database in
        try engine.guardian?.check(database, engine)
        let current = SQLiteBatchDeletion(deletion, store: self, engine: engine, database: database)
        batch = current
        try current.run()
      }
      if let batch { target.release(batch.files, engine.external) }
      return batch?.outcome ?? BatchOutcome()
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
      // A commit that fails may be on the disk all the same, with rows that name the new files.
      var isWritten = false
      do {
        try target.write { database in
          try engine.guardian?.check(database, engine)
          let current = try SQLiteBatchInsertion(insertion, store: self, engine: engine, database: database)
          batch = current
          try current.run()
          try current.synchronizeNewFiles()
          isWritten = true
        }
      } catch {
        if !isWritten { batch?.removeNewFiles() }
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
      var isWritten = false
      do {
        try target.write { database in
          try engine.guardian?.check(database, engine)
          let current = SQLiteBatchUpdate(update, store: self, engine: engine, database: database)
          batch = current
          try current.run()
          try current.synchronizeNewFiles()
          isWritten = true
        }
      } catch {
        if !isWritten { batch?.removeNewFiles() }
        throw error
      }
      if let batch { target.release(batch.files, engine.external) }
      return batch?.outcome ?? BatchOutcome()
    }
  }
}
