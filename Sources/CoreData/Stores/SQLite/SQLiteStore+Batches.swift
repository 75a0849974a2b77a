import CSystemSQLite
import Foundation
import SQLiteDriver

/// Changes many objects at once, without handing them out.
extension SQLiteStore {
  /// Deletes the results of a query. Validation and delete rules are not run
  /// (<https://developer.apple.com/documentation/coredata/nsbatchdeleterequest>); relationships to deleted objects are
  /// cleared.
  func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome {
    try deleteAll(deletion, through: engine().connections)
  }

  func deleteAll(_ deletion: BatchDeletion, through target: some SQLiteWriteTarget) throws -> BatchOutcome {
    try reading("The batch deletion failed") {
      try SQLiteWriteSession.run(in: self, through: target, origin: deletion.query.origin) { session in
        try session.namingObject(of: deletion.query) {
          try SQLiteBatchDeletion(deletion: deletion, session: session).run()
        }
      }
    }
  }

  func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome {
    try insertAll(insertion, through: engine().connections)
  }

  func insertAll(_ insertion: BatchInsertion, through target: some SQLiteWriteTarget) throws -> BatchOutcome {
    try reading("The batch insertion failed") {
      try SQLiteWriteSession.run(in: self, through: target, origin: insertion.origin) {
        try SQLiteBatchInsertion(insertion: insertion, session: $0).run()
      }
    }
  }

  func updateAll(_ update: BatchUpdate) throws -> BatchOutcome {
    try updateAll(update, through: engine().connections)
  }

  func updateAll(_ update: BatchUpdate, through target: some SQLiteWriteTarget) throws -> BatchOutcome {
    try reading("The batch update failed") {
      try SQLiteWriteSession.run(in: self, through: target, origin: update.query.origin) { session in
        try session.namingObject(of: update.query) {
          try SQLiteBatchUpdate(update: update, session: session).run()
        }
      }
    }
  }

  /// The names of the files that the columns of a query's rows have.
  static func fileNames(_ query: SQLStatement, database: Database, isCached: Bool = false) throws
    -> [String]
  {
    var names: [String] = []
    try SQLiteQuery(query, in: database, isCached: isCached).forEachRow { row in
      for column in 0..<sqlite3_column_count(row) where sqlite3_column_type(row, column) == SQLITE_BLOB {
        let cell = SQLiteCell(statement: row, column: column)
        if let name = ExternalDataFolder.fileName(try cell.bytes()) { names.append(name) }
      }
    }
    return names
  }
}

extension SQLiteWriteSession {
  /// Carries out a batch. If a regular expression could not be matched, memory finds the object, because SQLite does not
  /// report it.
  fileprivate func namingObject<Value>(of query: FetchQuery, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError where SQLiteTextFunctions.hasGivenUp(error) {
      _ = try reader.rows(of: reader.residue(query, decidesAll: true), includesRows: false, on: queries)
      throw error
    }
  }
}
