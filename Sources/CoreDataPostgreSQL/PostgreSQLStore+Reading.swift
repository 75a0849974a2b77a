#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLStore: SQLStore {
    /// Lets memory evaluate a query whose calculations overflow, because memory's result is infinity, and
    /// the server's an error.
    static func answering<Value>(_ answer: () throws -> Value, orElse decide: () throws -> Value) throws -> Value {
      do {
        return try answer()
      } catch let error as PostgreSQLError where error.isOutOfRange {
        do {
          return try decide()
        } catch let second as PostgreSQLError where second.state == "25P02" {
          // The error has ended the transaction of the caller.
          throw error
        }
      }
    }

    func snapshot() throws -> (any StoreReader)? {
      let engine = try engine()
      return try reading("The state of the store could not be kept") {
        try PostgreSQLSnapshot(store: self, engine: engine)
      }
    }

    /// The server refuses a query of a table with a policy that hides rows, also a query for no rows.
    func requireAllRows() throws {
      let engine = try engine()
      let names = engine.schema.tables.map(\.name) + engine.schema.joinTables.map(\.name)
      try reading("The store cannot be read as a whole") {
        try engine.connections.read(checkedBy: engine.guardian) { connection in
          try connection.requireAllRows()
          _ = try connection.run(
            names.map { PostgreSQLStatement(sql: "SELECT 1 FROM \(engine.dialect.table($0)) LIMIT 0") }
          )
        }
      }
    }
  }
#endif
