import CoreData
import Foundation
import TestSupport

/// Follows the history of the store as somebody does who is told of changes and asks for nothing otherwise.
///
/// Whoever was not told of a change would wait for ever.
final class HistoryReader: @unchecked Sendable {
  /// The transactions in the order in which they were read, a line each.
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

  /// Reads what is new.
  ///
  /// - Returns: True when the sale is closed.
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
