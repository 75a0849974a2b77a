import Foundation
import Predicates

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
