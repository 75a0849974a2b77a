import Foundation

extension NSPersistentStoreCoordinator {
  /// The place that the histories of stores are at.
  ///
  /// - Parameter stores: the stores (`[NSPersistentStore]`); `nil` for all.
  /// - Returns: `nil` when none of them has a history, or none can be read.
  public final func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
    var numbers: [String: Int64] = [:]
    for store in openStores {
      guard let store = store as? any HistoryStore, store.hasHistory else { continue }
      if let stores, !stores.contains(where: { $0 as AnyObject === store }) { continue }
      numbers[store.identifier] = try? store.historyExtent().last
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers: numbers)
  }

  /// Carries out a request for the history of the stores, or for its deletion.
  final func execute(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
    let stores = try historyStores(request)
    let result: Any =
      switch request.operation {
      case .fetch(let after): try fetchHistory(request, after: after, stores: stores)
      case .delete(let before): try deleteHistory(request, before: before, stores: stores)
      }
    return NSPersistentHistoryResult(result: result, resultType: request.resultType)
  }

  private func fetchHistory(
    _ request: NSPersistentHistoryChangeRequest,
    after: NSPersistentHistoryChangeRequest.Position,
    stores: [any HistoryStore]
  ) throws -> Any {
    let fetch = HistoryFetch(request: request, after: after, stores: stores, coordinatorNumber: number)
    return try fetch.result()
  }

  private func deleteHistory(
    _ request: NSPersistentHistoryChangeRequest,
    before: NSPersistentHistoryChangeRequest.Position,
    stores: [any HistoryStore]
  ) throws -> Any {
    var deleted: [NSPersistentHistoryChange] = []
    for store in stores {
      let range = Self.range(before: before, in: store)
      if request.resultType == .count || request.resultType == .objectIDs {
        deleted += try store.history(range, includesChanges: true).flatMap { $0.changes ?? [] }
      }
      try store.deleteHistory(range)
    }
    switch request.resultType {
    case .count: return deleted.count
    case .objectIDs: return Array(Set(deleted.map(\.changedObjectID)))
    case .statusOnly, .transactionsOnly, .changesOnly, .transactionsAndChanges: return true
    }
  }

  private static func range(
    before: NSPersistentHistoryChangeRequest.Position,
    in store: any HistoryStore
  ) -> HistoryRange {
    switch before {
    case .beginning: .nothing
    case .date(let date): .beforeDate(date)
    case .token(let token): token.numbers[store.identifier].map(HistoryRange.before) ?? .nothing
    case .transaction(let transaction):
      transaction.storeID == store.identifier
        ? .before(transaction.transactionNumber) : .beforeDate(transaction.timestamp)
    }
  }

  private func historyStores(_ request: NSPersistentHistoryChangeRequest) throws -> [any HistoryStore] {
    let asked = request.affectedStores.map { $0.map(ObjectIdentifier.init) }
    let stores = openStores.compactMap { $0 as? any HistoryStore }.filter { store in
      store.hasHistory && asked?.contains(ObjectIdentifier(store)) ?? true
    }
    if !stores.isEmpty { return stores }
    throw CocoaError.coreData(
      NSPersistentStoreUnsupportedRequestTypeError,
      message: """
        none of the stores that were asked has a history; open a SQLite store with the option \
        NSPersistentHistoryTrackingKey.
        """
    )
  }
}
