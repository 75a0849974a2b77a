import CoreData
import Foundation

/// The difference between two moments of a store's history: the combined effect of the transactions between
/// them on each object.
package struct TimelineDifference: Hashable, Sendable {
  /// The greatest number of changes that are combined.
  package static let mostChanges = 20_000

  /// The numbers of objects, by the effect on them.
  package struct Counts: Hashable, Sendable {
    /// The number of objects that were inserted and exist at the later moment.
    package internal(set) var inserted = 0
    /// The number of objects that exist at both moments and were updated in between.
    package internal(set) var updated = 0
    /// The number of objects that exist at the earlier moment and not at the later one.
    package internal(set) var deleted = 0
    /// The number of objects that were inserted and deleted in between.
    package internal(set) var passing = 0

    /// The number of objects that differ between the moments.
    package var all: Int { inserted + updated + deleted }
  }

  /// The numbers of all objects, on all pages.
  package let counts: Counts
  /// The number of combined transactions.
  package let transactionCount: Int
  /// The differing objects on the page, in the order of entity and key.
  package let changes: [TimelineChange]
  /// The earlier moment; `nil` for the beginning of the history. It is later than the requested moment if there
  /// are more than ``mostChanges`` changes, because only the newest ones are combined.
  package let from: Int64?
  /// True if the earlier moment is later than the requested one.
  package let isShortened: Bool
  /// The transaction that has more than ``mostChanges`` changes, so that only the first of them are combined;
  /// `nil` if there is no such transaction.
  package let partialTransaction: Int64?
}

extension Timeline {
  /// The difference between two moments: the objects that the transactions in between have inserted, updated
  /// and deleted, by the final effect on each.
  ///
  /// Up to ``TimelineDifference/mostChanges`` changes are read, the newest first.
  ///
  /// - Parameters:
  ///   - from: the number of the last transaction before the earlier moment; `nil` for the beginning of the history.
  ///   - to: the number of the last transaction before the later moment; `nil` for now.
  ///   - offset: the number of objects on the pages before this one.
  ///   - limit: the largest number of objects on the page.
  ///   - time: the time that the store may take.
  /// - Throws: an `ExplorationFailure` if the store does not track history. The remedy says how to begin.
  package func difference(
    from: Int64?,
    to: Int64?,
    offset: Int = 0,
    limit: Int = 100,
    within time: Duration = .seconds(10)
  ) async throws -> TimelineDifference {
    try await difference(
      from: from,
      to: to,
      offset: offset,
      limit: limit,
      atMost: TimelineDifference.mostChanges,
      within: time
    )
  }

  func difference(
    from: Int64?,
    to: Int64?,
    offset: Int,
    limit: Int,
    atMost mostChanges: Int,
    within time: Duration
  ) async throws -> TimelineDifference {
    try await reading.read(within: time) { context in
      var effects = NetEffects(from: from, mostChanges: mostChanges)
      try effects.read(to: to) { selection in
        guard let page = try reading.coordinator.historyPage(selection, of: try store()) else { throw Self.noHistory }
        return page
      }
      return try effects.difference(offset: max(0, offset), limit: max(0, limit), in: context)
    }
  }
}

/// Combines the changes of each object. The newest change is added first.
private struct NetEffects {
  /// The number of transactions in one query.
  private static let pageSize = 50

  private struct Effect {
    /// The newest change. Its kind decides whether the object exists at the later moment.
    let last: NSPersistentHistoryChange
    /// The kind of the oldest change, which decides whether the object existed at the earlier moment.
    var first: NSPersistentHistoryChangeType
    var properties: Set<String> = []
  }

  private let start: Int64?
  private let mostChanges: Int
  private var effects: [NSManagedObjectID: Effect] = [:]
  private var changeCount = 0
  private var transactionCount = 0
  private var oldest: Int64?
  private var isShortened = false
  private var partial: Int64?

  init(from start: Int64?, mostChanges: Int) {
    self.start = start
    self.mostChanges = mostChanges
  }

  /// Reads transactions from the newest to the start, until they have more than `mostChanges` changes.
  mutating func read(to end: Int64?, _ page: (HistorySelection) throws -> HistoryPage) throws {
    var before = end.map { $0 == .max ? $0 : $0 + 1 }
    while true {
      try Task.checkCancellation()
      var selection = HistorySelection(limit: Self.pageSize, changeLimit: 0)
      selection.before = before
      let found = try page(selection)
      for transaction in found.transactions {
        let number = transaction.transactionNumber
        if let start, number <= start { return }
        let counts = found.counts[number]
        let count = (counts?.inserted ?? 0) + (counts?.updated ?? 0) + (counts?.deleted ?? 0)
        if transactionCount > 0, changeCount + count > mostChanges {
          isShortened = true
          return
        }
        if count > mostChanges { partial = number }
        try add(number, count: min(count, mostChanges), page)
      }
      guard found.hasMore, let last = found.transactions.last else { return }
      before = last.transactionNumber
    }
  }

  private mutating func add(_ number: Int64, count: Int, _ page: (HistorySelection) throws -> HistoryPage) throws {
    var selection = HistorySelection(limit: 1, changeLimit: count)
    selection.before = number == .max ? number : number + 1
    guard let transaction = try page(selection).transactions.first, transaction.transactionNumber == number
    else { return }
    transactionCount += 1
    changeCount += count
    oldest = number
    for change in (transaction.changes ?? []).reversed() { add(change) }
  }

  private mutating func add(_ change: NSPersistentHistoryChange) {
    let id = change.changedObjectID
    var effect = effects[id] ?? Effect(last: change, first: change.changeType)
    effect.first = change.changeType
    effect.properties.formUnion((change.updatedProperties ?? []).map(\.name))
    effects[id] = effect
  }

  /// The combined effect on an object; `nil` if the object was inserted and deleted in between.
  private static func kind(of effect: Effect) -> TimelineChange.Kind? {
    switch (effect.first, effect.last.changeType) {
    case (.insert, .delete): nil
    case (_, .delete): .deleted
    case (.insert, _): .inserted
    default: .updated
    }
  }

  func difference(offset: Int, limit: Int, in context: NSManagedObjectContext) throws -> TimelineDifference {
    var counts = TimelineDifference.Counts()
    var changed: [(id: NSManagedObjectID, kind: TimelineChange.Kind)] = []
    for (id, effect) in effects {
      switch Self.kind(of: effect) {
      case .inserted: counts.inserted += 1
      case .updated: counts.updated += 1
      case .deleted: counts.deleted += 1
      case nil:
        counts.passing += 1
        continue
      }
      if let kind = Self.kind(of: effect) { changed.append((id, kind)) }
    }
    changed.sort { ($0.id.entity.name ?? "", $0.id.key) < ($1.id.entity.name ?? "", $1.id.key) }
    let shown = changed.dropFirst(offset).prefix(limit)
    var namer = ObjectNames()
    let names = try namer.names(of: shown.map(\.id), in: context)
    return TimelineDifference(
      counts: counts,
      transactionCount: transactionCount,
      changes: shown.compactMap { id, kind in
        effects[id].map { effect in
          TimelineChange(
            change: effect.last,
            kind: kind,
            properties: kind == .updated ? effect.properties.sorted() : [],
            names: names
          )
        }
      },
      from: isShortened ? oldest.map { $0 == .min ? $0 : $0 - 1 } : start,
      isShortened: isShortened,
      partialTransaction: partial
    )
  }
}
