import Foundation

/// A store that can keep a history of its changes.
package protocol HistoryStore: ObjectStore {
  /// True when the store has a history, whether or not this one was opened to continue it.
  var hasHistory: Bool { get }

  /// The numbers of the transactions that the history still has, and of the last that there ever was.
  func historyExtent() throws -> HistoryExtent

  /// The transactions of a range, the oldest first.
  func history(_ range: HistoryRange, includesChanges: Bool) throws -> [NSPersistentHistoryTransaction]

  /// The transactions of a selection, the newest first.
  func historyPage(_ selection: HistorySelection) throws -> HistoryPage

  /// The different authors of transactions, in order.
  func historyAuthors(limit: Int) throws -> [String]

  /// Deletes the transactions of a range with their changes.
  func deleteHistory(_ range: HistoryRange) throws

  /// The number that the store gives an entity; `nil` when it does not keep it.
  func entityNumber(_ entity: NSEntityDescription) -> Int64?
}

/// A part of the history of one store.
package enum HistoryRange {
  case everything
  case nothing
  /// The transactions with larger numbers.
  case after(Int64)
  case afterDate(Date)
  /// The transactions with smaller numbers.
  case before(Int64)
  case beforeDate(Date)
  /// The transactions with these numbers.
  case numbers([Int64])
}

/// The extent of the history of one store.
package struct HistoryExtent {
  /// The number of the first transaction that was not deleted; `nil` when there is none.
  let first: Int64?
  /// The number of the last transaction that there was; 0 when there never was one.
  let last: Int64

  package init(first: Int64?, last: Int64) {
    self.first = first
    self.last = last
  }

  /// Returns true when all transactions after a number are there.
  func isComplete(after number: Int64) -> Bool {
    guard let first else { return number >= last }
    return number >= first || number + 1 == first
  }

  /// Returns true when a number names a transaction that may still be there.
  func contains(_ number: Int64) -> Bool { first.map { $0 <= number && number <= last } ?? false }
}
