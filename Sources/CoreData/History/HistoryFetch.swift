import Foundation
import Predicates

/// Carries out a request for the history of some stores.
struct HistoryFetch {
  let request: NSPersistentHistoryChangeRequest
  let after: NSPersistentHistoryChangeRequest.Position
  let stores: [any HistoryStore]
  let coordinatorNumber: Int

  /// The result of the request, in the form of its result type.
  func result() throws -> Any {
    guard let fetch = request.fetchRequest else { return form(try transactions(matching: nil)) }
    switch fetch.entityName {
    case HistoryModel.transactionName: return form(try part(try transactions(matching: fetch.predicate), fetch: fetch))
    case HistoryModel.changeName: return form(try changes(fetch))
    case let name:
      throw CocoaError.coreData(
        NSPersistentStoreUnsupportedRequestTypeError,
        message: """
          a request for history has a fetch request for the entity \(name ?? "(none)"); give it the entityDescription of \
          NSPersistentHistoryTransaction or of NSPersistentHistoryChange.
          """
      )
    }
  }

  // MARK: - Forms of results

  private func form(_ transactions: [NSPersistentHistoryTransaction]) -> Any {
    switch request.resultType {
    case .statusOnly: true
    case .transactionsOnly: transactions.map { $0.with(nil) }
    case .transactionsAndChanges: transactions
    case .count: transactions.reduce(0) { $0 + ($1.changes?.count ?? 0) }
    case .objectIDs: Self.objectIDs(transactions.flatMap { $0.changes ?? [] })
    case .changesOnly: transactions.flatMap { $0.changes ?? [] }
    }
  }

  private func form(_ changes: [NSPersistentHistoryChange]) -> Any {
    switch request.resultType {
    case .statusOnly: true
    case .transactionsOnly: Self.grouped(changes).map { $0.with(nil) }
    case .transactionsAndChanges: Self.grouped(changes)
    case .count: changes.count
    case .objectIDs: Self.objectIDs(changes)
    case .changesOnly: changes
    }
  }

  private static func objectIDs(_ changes: [NSPersistentHistoryChange]) -> [NSManagedObjectID] {
    var seen: Set<NSManagedObjectID> = []
    return changes.map(\.changedObjectID).filter { seen.insert($0).inserted }
  }

  /// The transactions of changes. Each transaction has only those of its changes that are given.
  private static func grouped(_ changes: [NSPersistentHistoryChange]) -> [NSPersistentHistoryTransaction] {
    var order: [NSPersistentHistoryTransaction] = []
    var parts: [NSPersistentHistoryToken: [NSPersistentHistoryChange]] = [:]
    for change in changes {
      guard let transaction = change.transaction else { continue }
      if parts[transaction.token] == nil { order.append(transaction) }
      parts[transaction.token, default: []].append(change)
    }
    return order.map { $0.with(parts[$0.token]) }
  }

  // MARK: - What is found

  private func transactions(matching predicate: NSPredicate?) throws -> [NSPersistentHistoryTransaction] {
    // A predicate may ask for the changes of a transaction.
    let includesChanges = request.resultType != .transactionsOnly || predicate != nil
    let parts = try stores.map { store in
      let found = try history(of: store, includesChanges: includesChanges)
      guard let predicate else { return found }
      let matches = try evaluator(predicate, store: store)
      return try found.filter { try matches(TransactionRecord($0)) }
    }
    return parts.count == 1 ? parts[0] : parts.flatMap(\.self).sorted { $0.timestamp < $1.timestamp }
  }

  private func changes(_ fetch: NSFetchRequest<any NSFetchRequestResult>) throws
    -> [NSPersistentHistoryChange]
  {
    let records = try stores.flatMap { store in
      let matches = try fetch.predicate.map { try evaluator($0, store: store) }
      return try history(of: store, includesChanges: true)
        .flatMap { $0.changes ?? [] }.map(ChangeRecord.init).filter { try matches?($0) ?? true }
    }
    return Self.limited(try Sorter(fetch.sortDescriptors ?? []).sorted(records), fetch: fetch).map(\.change)
  }

  private func part(
    _ transactions: [NSPersistentHistoryTransaction],
    fetch: NSFetchRequest<any NSFetchRequestResult>
  ) throws -> [NSPersistentHistoryTransaction] {
    let records = transactions.map(TransactionRecord.init)
    return Self.limited(try Sorter(fetch.sortDescriptors ?? []).sorted(records), fetch: fetch).map(\.transaction)
  }

  private static func limited<Record>(
    _ records: [Record],
    fetch: NSFetchRequest<any NSFetchRequestResult>
  ) -> ArraySlice<Record> {
    let rest = records.dropFirst(max(fetch.fetchOffset, 0))
    return fetch.fetchLimit > 0 ? rest.prefix(fetch.fetchLimit) : rest
  }

  private func history(of store: any HistoryStore, includesChanges: Bool) throws
    -> [NSPersistentHistoryTransaction]
  {
    let found = try store.history(try range(in: store), includesChanges: includesChanges)
    // Another process may delete transactions while these are read, and the result would silently lack them. So the
    // range is checked again, which throws when transactions after the token are missing.
    _ = try range(in: store)
    return found
  }

  private func range(in store: any HistoryStore) throws -> HistoryRange {
    switch after {
    case .beginning: return .everything
    case .date(let date): return .afterDate(date)
    case .token(let token):
      guard let number = try number(of: token, in: store) else { return .everything }
      if try store.historyExtent().isComplete(after: number) { return .after(number) }
      throw Self.expired(token, store: store)
    case .transaction(let transaction):
      if transaction.storeID == store.identifier { return .after(transaction.transactionNumber) }
      return .afterDate(transaction.timestamp)
    }
  }

  /// - Returns: `nil` for a store that the token does not contain, if it contains another one.
  private func number(of token: NSPersistentHistoryToken, in store: any HistoryStore) throws -> Int64? {
    if let number = token.numbers[store.identifier] { return number }
    if stores.contains(where: { token.numbers[$0.identifier] != nil }) || token.numbers.isEmpty { return nil }
    throw Self.expired(token, store: store)
  }

  // MARK: - Predicates

  /// Evaluates a predicate for records of one store: its constants are converted to the store's own values.
  private func evaluator(_ predicate: NSPredicate, store: any HistoryStore) throws -> PredicateEvaluator {
    let extent = try store.historyExtent()
    var failure: (any Error)?
    func translated(_ value: Any?) -> Any? {
      switch value {
      case let token as NSPersistentHistoryToken:
        let number = token.numbers[store.identifier] ?? 0
        if !extent.contains(number) { failure = Self.expired(token, store: store) }
        return number
      case let entity as NSEntityDescription: return store.entityNumber(entity) ?? -1
      case let objectID as NSManagedObjectID: return objectID.coordinatorNumber == coordinatorNumber ? objectID : nil
      case let values as [Any?]: return values.map(translated)
      default: return value
      }
    }
    let evaluator = try PredicateEvaluator(predicate.replacingConstants(translated))
    if let failure { throw failure }
    return evaluator
  }

  private static func expired(_ token: NSPersistentHistoryToken, store: any HistoryStore) -> any Error {
    CocoaError.coreData(
      NSPersistentHistoryTokenExpiredError,
      message: """
        the store \(store.url?.storeName ?? "") no longer has the history that the token \(token) stands for; read the objects \
        anew, and go on from currentPersistentHistoryToken(fromStores:).
        """,
      userInfo: [NSAffectedStoresErrorKey: [store as NSPersistentStore]]
    )
  }
}

/// A transaction as predicates and sort descriptors see it.
final class TransactionRecord: KeyValueCoding {
  let transaction: NSPersistentHistoryTransaction

  init(_ transaction: NSPersistentHistoryTransaction) { self.transaction = transaction }

  func value(forKey key: String) -> Any? { try? checkedValue(forKey: key) }

  func checkedValue(forKey key: String) throws -> Any? {
    switch key {
    case "author": transaction.author
    case "bundleID": transaction.bundleID
    case "contextName": transaction.contextName
    case "processID": transaction.processID
    case "storeID": transaction.storeID
    case "timestamp": transaction.timestamp
    case "token", "transactionNumber": transaction.transactionNumber
    case "changes": transaction.changes?.map(ChangeRecord.init) ?? []
    default: throw HistoryModel.shared.transaction.layout.unknownKey(key)
    }
  }
}

/// A change as predicates and sort descriptors see it.
final class ChangeRecord: KeyValueCoding {
  let change: NSPersistentHistoryChange

  init(_ change: NSPersistentHistoryChange) { self.change = change }

  func value(forKey key: String) -> Any? { try? checkedValue(forKey: key) }

  func checkedValue(forKey key: String) throws -> Any? {
    switch key {
    case "changeID": change.changeID
    case "changeType": change.changeType.rawValue
    case "changedEntity": change.entityNumber
    case "changedObjectID": change.changedObjectID
    case "tombstone": change.tombstone
    case "transaction": change.transaction.map(TransactionRecord.init)
    default: throw HistoryModel.shared.change.layout.unknownKey(key)
    }
  }
}
