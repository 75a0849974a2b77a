package import CoreData
import Foundation
import Seeding

/// The history of a store for people: the author, time and changes of each transaction.
package struct Timeline: Sendable {
  /// The largest number of transactions on a page.
  package static let mostTransactions = 200
  /// The largest number of changes listed for a transaction.
  package static let mostChanges = 1_000

  let reading: StoreReading
  private let storeIdentifier: String?

  /// - Parameters:
  ///   - coordinator: the coordinator of the store.
  ///   - storeIdentifier: the UUID of the store; `nil` for the first store with a history.
  package init(in coordinator: NSPersistentStoreCoordinator, storeIdentifier: String? = nil) {
    reading = StoreReading(coordinator: coordinator)
    self.storeIdentifier = storeIdentifier
  }

  /// True if the store tracks its history.
  package var hasHistory: Bool { (try? store()) != nil }

  /// The transactions that match a filter, the newest first.
  ///
  /// - Parameters:
  ///   - before: the number from the previous page's `TimelinePage.next`; `nil` for the first page.
  ///   - limit: the largest number of transactions, from 1 to ``mostTransactions``.
  ///   - changeLimit: the largest number of changes listed for each transaction, up to ``mostChanges``.
  ///   - time: the time that the store may take.
  /// - Throws: an `ExplorationFailure` if the store does not track history. The remedy says how to begin.
  package func page(
    _ filter: TimelineFilter = TimelineFilter(),
    before: Int64? = nil,
    limit: Int = 50,
    changeLimit: Int = 50,
    within time: Duration = .seconds(10)
  ) async throws -> TimelinePage {
    var selection = HistorySelection(
      limit: min(max(limit, 1), Self.mostTransactions),
      changeLimit: min(max(changeLimit, 0), Self.mostChanges)
    )
    selection.before = before
    selection.author = filter.author
    selection.since = filter.since
    selection.until = filter.until
    if let object = filter.object {
      selection.objects = .object(object)
    } else if let name = filter.entity {
      selection.objects = .entities(Self.family(of: try reading.entity(name)))
    }
    let wanted = selection
    return try await reading.read(within: time) { context in
      guard let page = try reading.coordinator.historyPage(wanted, of: store()) else { throw Self.noHistory }
      return try TimelineMaker(context: context, page: page).timelinePage()
    }
  }

  /// The changes of one object, the newest first, with their authors and times.
  ///
  /// - Throws: the errors of ``page(_:before:limit:changeLimit:within:)``.
  package func changes(
    of object: NSManagedObjectID,
    before: Int64? = nil,
    limit: Int = 50,
    within time: Duration = .seconds(10)
  ) async throws -> TimelinePage {
    var filter = TimelineFilter()
    filter.object = object
    return try await page(filter, before: before, limit: limit, within: time)
  }

  /// The authors of the store's transactions, in order.
  ///
  /// - Throws: an `ExplorationFailure` if the store does not track history.
  package func authors(limit: Int = 100, within time: Duration = .seconds(5)) async throws -> [String] {
    try await reading.read(within: time) { _ in
      try reading.coordinator.historyAuthors(of: store(), limit: min(max(limit, 1), 1_000))
    }
  }

  /// The store whose history is read.
  func store() throws -> NSPersistentStore {
    let coordinator = reading.coordinator
    let stores = coordinator.persistentStores.filter { store in
      storeIdentifier == nil || store.identifier == storeIdentifier
    }
    if let store = stores.first(where: { coordinator.currentPersistentHistoryToken(fromStores: [$0]) != nil }) {
      return store
    }
    throw Self.noHistory
  }

  package static let noHistory = ExplorationFailure(
    code: .noHistory,
    problem: "the store keeps no history of its changes",
    remedy:
      "set the option NSPersistentHistoryTrackingKey to true in its description wherever it is opened to be written; "
      + "what is saved from then on is recorded"
  )

  private static func family(of entity: NSEntityDescription) -> [NSEntityDescription] {
    [entity] + entity.subentities.flatMap(family)
  }
}

/// Makes a page for people from a page of the history. Used on the queue of the context.
struct TimelineMaker {
  let context: NSManagedObjectContext
  let page: HistoryPage

  func timelinePage() throws -> TimelinePage {
    var namer = ObjectNames()
    let ids = page.transactions.flatMap { $0.changes ?? [] }.map(\.changedObjectID)
    let names = try namer.names(of: Set(ids), in: context)
    return TimelinePage(
      transactions: page.transactions.map { transaction($0, names: names) },
      next: page.hasMore ? page.transactions.last?.transactionNumber : nil
    )
  }

  private func transaction(
    _ transaction: NSPersistentHistoryTransaction,
    names: [NSManagedObjectID: String]
  ) -> TimelineTransaction {
    let counts = page.counts[transaction.transactionNumber]
    return TimelineTransaction(
      number: transaction.transactionNumber,
      date: transaction.timestamp,
      author: transaction.author,
      contextName: transaction.contextName,
      bundle: transaction.bundleID,
      process: transaction.processID,
      insertedCount: counts?.inserted ?? 0,
      updatedCount: counts?.updated ?? 0,
      deletedCount: counts?.deleted ?? 0,
      changes: (transaction.changes ?? []).map { change($0, names: names) }
    )
  }

  private func change(_ change: NSPersistentHistoryChange, names: [NSManagedObjectID: String])
    -> TimelineChange
  {
    let kind: TimelineChange.Kind =
      switch change.changeType {
      case .insert: .inserted
      case .update: .updated
      case .delete: .deleted
      }
    return TimelineChange(
      change: change,
      kind: kind,
      properties: (change.updatedProperties ?? []).map(\.name).sorted(),
      names: names
    )
  }
}

extension TimelineChange {
  /// - Parameter names: the names of the objects that are in the store.
  init(
    change: NSPersistentHistoryChange,
    kind: Kind,
    properties: [String],
    names: [NSManagedObjectID: String]
  ) {
    let id = change.changedObjectID
    let left = (change.tombstone ?? [:]).compactMap { key, value in (key as? String).map { ($0, value) } }
    let values = Dictionary(left, uniquingKeysWith: { $1 })
    let former = ObjectNames.name(ObjectNames.rule(for: id.entity).keyPaths.map { values[$0] })
    self.init(
      object: NamedObject(id: id, name: names[id] ?? former ?? ObjectNames.fallback(id)),
      isThere: names[id] != nil,
      kind: kind,
      properties: properties,
      tombstone: values.sorted { $0.key < $1.key }.map { key, value in
        .init(key: key, value: ValueWords.of(value) { _ in nil })
      }
    )
  }
}
