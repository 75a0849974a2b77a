import Foundation

/// Finds the parts of a page of a history in a database.
package protocol HistoryPageReader {
  /// The changes that are wanted, as the database is asked for them.
  associatedtype Wanted

  /// The numbers of the transactions, the newest first, and of one more where there are more.
  func numbers(_ selection: HistorySelection, wanted: Wanted) throws -> [Int64]

  /// The numbers of the wanted changes, by the numbers of their transactions.
  func counts(_ numbers: [Int64], wanted: Wanted) throws -> [Int64: HistoryPage.Counts]

  /// The transactions of a range without their changes, the oldest first.
  func transactions(_ range: HistoryRange) throws -> [NSPersistentHistoryTransaction]

  /// The first of the wanted changes of a transaction.
  func changes(of transaction: NSPersistentHistoryTransaction, _ wanted: Wanted, limit: Int) throws
    -> [NSPersistentHistoryChange]
}

extension HistoryPageReader {
  /// The transactions of a selection, the newest first.
  func page(_ selection: HistorySelection, wanted: Wanted) throws -> HistoryPage {
    let found = try numbers(selection, wanted: wanted)
    let numbers = Array(found.prefix(selection.limit))
    var page = HistoryPage()
    guard !numbers.isEmpty else { return page }
    page.hasMore = found.count > numbers.count
    page.counts = try counts(numbers, wanted: wanted)
    page.transactions = try transactions(.numbers(numbers)).reversed().map { transaction in
      try transaction.with(changes(of: transaction, wanted, limit: selection.changeLimit))
    }
    return page
  }
}
