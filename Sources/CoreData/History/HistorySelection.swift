import Foundation

/// A part of the history of one store for people to look at: which transactions, the newest first,
/// and how much of each.
///
/// A transaction may have a million changes, and a history a million transactions. Requests for
/// history bring all of what they ask for; a page has bounds.
package struct HistorySelection: Sendable {
  /// The objects whose changes are wanted: those of some entities, one object, or all.
  package enum Objects: Sendable {
    case all
    case entities([NSEntityDescription])
    case object(NSManagedObjectID)
  }

  package var objects = Objects.all
  package var author: String?
  /// The earliest time, itself included.
  package var since: Date?
  /// The latest time, itself excluded.
  package var until: Date?
  /// Transactions with smaller numbers are wanted.
  package var before: Int64?
  /// The largest number of transactions, at least 1.
  package var limit: Int
  /// The largest number of changes that come with each.
  package var changeLimit: Int

  package init(limit: Int, changeLimit: Int) {
    self.limit = max(1, limit)
    self.changeLimit = max(0, changeLimit)
  }
}

/// The transactions of a selection.
package struct HistoryPage: Sendable {
  /// The numbers of changes of each kind that a transaction has of the selected objects.
  package struct Counts: Sendable {
    package var inserted = 0
    package var updated = 0
    package var deleted = 0

    mutating func add(_ count: Int64, type: NSPersistentHistoryChangeType?) {
      switch type {
      case .insert: inserted += Int(count)
      case .update: updated += Int(count)
      case .delete: deleted += Int(count)
      case nil: break
      }
    }
  }

  /// The newest first, each with its first changes of the selected objects.
  package var transactions: [NSPersistentHistoryTransaction] = []
  /// By the numbers of the transactions.
  package var counts: [Int64: Counts] = [:]
  /// True when there are older ones.
  package var hasMore = false
}

extension HistorySelection.Objects {
  /// The columns by which a store selects the changes of the objects: the numbers of their entities
  /// in the store, and their key.
  ///
  /// - Returns: `nil` where no change is of them; numbers are `nil` where each is.
  func columns(in store: any HistoryStore) -> (entities: [Int64]?, key: Int64?)? {
    switch self {
    case .all: return (nil, nil)
    case .entities(let entities):
      let numbers = entities.compactMap(store.entityNumber)
      return numbers.isEmpty ? nil : (numbers, nil)
    case .object(let id):
      guard !id.isTemporaryID, let number = store.entityNumber(id.entity) else { return nil }
      return ([number], id.reference.key)
    }
  }
}
