#if PostgreSQL
  import CoreData
  import Foundation

  extension PostgreSQLStore: SQLHistoryStore {
    func deleteHistory(_ range: HistoryRange) throws {
      let engine = try writableEngine()
      let condition = range.postgreSQLCondition
      try reading("The history could not be deleted") {
        try engine.connections.repeating {
          try engine.connections.write(checkedBy: engine.guardian) { connection in
            for sql in [
              """
              DELETE FROM perennial_change WHERE key IN \
              (SELECT t.key FROM perennial_transaction t WHERE \(condition.sql))
              """,
              "DELETE FROM perennial_transaction t WHERE \(condition.sql)",
            ] {
              try connection.run(SQLStatement(sql: sql, bindings: condition.bindings))
            }
          }
        }
      }
    }

    func readHistory<Value>(_ body: (PostgreSQLHistoryReader) throws -> Value) throws -> Value? {
      let engine = try engine()
      return try reading("The history could not be read") {
        try engine.connections.read(checkedBy: engine.guardian) { connection in
          try body(PostgreSQLHistoryReader(store: self, engine: engine, connection: connection))
        }
      }
    }
  }
#endif
