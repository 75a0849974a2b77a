import Foundation
import SQLiteDriver

extension SQLiteStore: HistoryStore {
  var hasHistory: Bool { (try? engine())?.history != nil }

  func entityNumber(_ entity: NSEntityDescription) -> Int64? {
    guard let engine = try? engine(), let own = engine.schema.model.entitiesByName[entity.name ?? ""] else {
      return nil
    }
    return engine.schema.entity(modelNumber: Int32(own.number))?.number
  }

  func historyExtent() throws -> HistoryExtent {
    try readHistory { try $0.extent() } ?? HistoryExtent(first: nil, last: 0)
  }

  func history(_ range: HistoryRange, includesChanges: Bool) throws -> [NSPersistentHistoryTransaction] {
    try readHistory { try $0.transactions(range, includesChanges: includesChanges) } ?? []
  }

  func historyPage(_ selection: HistorySelection) throws -> HistoryPage {
    guard let columns = selection.objects.columns(in: self) else { return HistoryPage() }
    return try readHistory { try $0.page(selection, entities: columns.entities, key: columns.key) }
      ?? HistoryPage()
  }

  func historyAuthors(limit: Int) throws -> [String] {
    try readHistory { try $0.authors(limit: limit) } ?? []
  }

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

  /// - Returns: `nil` when the store has no history.
  private func readHistory<Value>(_ body: (SQLiteHistoryReader) throws -> Value) throws -> Value? {
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
