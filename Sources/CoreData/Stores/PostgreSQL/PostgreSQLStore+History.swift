#if PostgreSQL
  import Foundation

  extension PostgreSQLStore: HistoryStore {
    var hasHistory: Bool { (try? engine())?.hasHistory ?? false }

    func entityNumber(_ entity: NSEntityDescription) -> Int64? {
      guard let engine = try? engine(), let own = engine.schema.model.entitiesByName[entity.name ?? ""] else {
        return nil
      }
      return engine.schema.entity(modelNumber: Int32(own.number))?.number
    }

    func historyExtent() throws -> HistoryExtent { try readHistory { try $0.extent() } }

    func history(_ range: HistoryRange, includesChanges: Bool) throws -> [NSPersistentHistoryTransaction] {
      try readHistory { try $0.transactions(range, includesChanges: includesChanges) }
    }

    func historyPage(_ selection: HistorySelection) throws -> HistoryPage {
      guard let columns = selection.objects.columns(in: self) else { return HistoryPage() }
      return try readHistory { try $0.page(selection, entities: columns.entities, key: columns.key) }
    }

    func historyAuthors(limit: Int) throws -> [String] { try readHistory { try $0.authors(limit: limit) } }

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

    private func readHistory<Value>(_ body: (PostgreSQLHistoryReader) throws -> Value) throws -> Value {
      let engine = try engine()
      return try reading("The history could not be read") {
        try engine.connections.read(checkedBy: engine.guardian) { connection in
          try body(PostgreSQLHistoryReader(store: self, engine: engine, connection: connection))
        }
      }
    }
  }
#endif
