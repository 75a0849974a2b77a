/// A store in an SQL database that can keep a history of its changes.
package protocol SQLHistoryStore: SQLStore, HistoryStore {
  associatedtype HistoryReader: SQLHistoryReader

  /// Reads the history at one state.
  ///
  /// - Returns: `nil` when the store has no history.
  func readHistory<Value>(_ body: (HistoryReader) throws -> Value) throws -> Value?
}

extension SQLHistoryStore {
  package var hasHistory: Bool { (try? engine())?.hasHistory ?? false }

  package func entityNumber(_ entity: NSEntityDescription) -> Int64? {
    guard let engine = try? engine(), let own = engine.schema.model.entitiesByName[entity.name ?? ""] else {
      return nil
    }
    return engine.schema.entity(modelNumber: Int32(own.number))?.number
  }

  package func historyExtent() throws -> HistoryExtent {
    try readHistory { try $0.extent() } ?? HistoryExtent(first: nil, last: 0)
  }

  package func history(_ range: HistoryRange, includesChanges: Bool) throws
    -> [NSPersistentHistoryTransaction]
  {
    try readHistory { try $0.transactions(range, includesChanges: includesChanges) } ?? []
  }

  package func historyPage(_ selection: HistorySelection) throws -> HistoryPage {
    guard let columns = selection.objects.columns(in: self) else { return HistoryPage() }
    return try readHistory { try $0.page(selection, entities: columns.entities, key: columns.key) }
      ?? HistoryPage()
  }

  package func historyAuthors(limit: Int) throws -> [String] {
    try readHistory { try $0.authors(limit: limit) } ?? []
  }
}
