import Foundation
import SQLiteDriver

extension SQLiteStore: SQLHistoryStore {
  func deleteHistory(_ range: HistoryRange) throws {
    let engine = try writableEngine()
    try reading("The history could not be deleted") {
      let condition = range.condition
      try engine.connections.write { database in
        try engine.guardian?.check(database, engine: engine)
        for sql in [
          "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(condition.sql))",
          "DELETE FROM ATRANSACTION WHERE \(condition.sql)",
        ] {
          let statement = SQLStatement(sql: sql, bindings: condition.bindings)
          try SQLiteQuery(statement, in: database, isCached: false).run()
        }
      }
    }
  }

  func readHistory<Value>(_ body: (SQLiteHistoryReader) throws -> Value) throws -> Value? {
    let engine = try engine()
    guard let tables = engine.history else { return nil }
    return try reading("The history could not be read") {
      try engine.connections.read { database in
        let reader = SQLiteHistoryReader(store: self, engine: engine, tables: tables, database: database)
        let value = try body(reader)
        try engine.guardian?.checkRead(database, engine: engine)
        return value
      }
    }
  }
}
