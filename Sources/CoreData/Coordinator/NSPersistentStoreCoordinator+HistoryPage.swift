extension NSPersistentStoreCoordinator {
  /// The transactions of a selection.
  ///
  /// - Returns: `nil` for a store that keeps no history.
  package final func historyPage(_ selection: HistorySelection, of store: NSPersistentStore) throws
    -> HistoryPage?
  {
    guard let store = openStores.first(where: { $0 === store }) as? any HistoryStore, store.hasHistory else {
      return nil
    }
    return try store.historyPage(selection)
  }

  /// The authors of the transactions that the history of a store still has, in order.
  ///
  /// - Parameter limit: the largest number of them.
  package final func historyAuthors(of store: NSPersistentStore, limit: Int) throws -> [String] {
    guard let store = openStores.first(where: { $0 === store }) as? any HistoryStore, store.hasHistory else {
      return []
    }
    return try store.historyAuthors(limit: limit)
  }
}
