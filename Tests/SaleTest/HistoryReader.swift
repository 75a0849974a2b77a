import CoreData
import Foundation
import TestSupport

/// Follows the history of the store by notifications of remote changes alone.
///
/// A missed notification would therefore make the reader wait forever.
final class HistoryReader: @unchecked Sendable {
  /// The transactions in the order in which they were read, one per line.
  private(set) var lines: [String] = []
  private let context: NSManagedObjectContext
  private let changes = DispatchSemaphore(value: 0)
  private var token: NSPersistentHistoryToken?
  private var observer: (any NSObjectProtocol)?

  init(_ store: SaleStore) {
    context = store.newContext(author: "reader")
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange,
      object: store.coordinator,
      queue: nil
    ) { [changes] _ in
      changes.signal()
    }
  }

  /// Reads until the sale is closed.
  func follow() throws {
    defer { if let observer { NotificationCenter.default.removeObserver(observer) } }
    while try !readsClosing() { changes.wait() }
  }

  /// Reads the transactions after the last token.
  ///
  /// - Returns: True if the sale is closed.
  func readsClosing() throws -> Bool {
    try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      request.resultType = .transactionsAndChanges
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      lines += transactions.map(Self.line)
      token = transactions.last?.token ?? token
      return transactions.last?.author == SaleStore.closingAuthor
    }
  }

  private static func line(_ transaction: NSPersistentHistoryTransaction) -> String {
    let changes = (transaction.changes ?? []).map { change in
      "\(change.changeType.rawValue)\(change.changedObjectID.uriRepresentation().path)"
    }
    return
      "\(transaction.transactionNumber) \(transaction.author ?? "-") \(changes.sorted().joined(separator: " "))"
  }
}
