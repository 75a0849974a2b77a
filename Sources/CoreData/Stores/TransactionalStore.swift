/// A store that can keep many saves together.
package protocol TransactionalStore: ObjectStore {
  /// Runs work in a transaction, which is committed when the work returns and rolled back when it throws.
  func transaction<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value

  /// Runs work in a transaction that waits for all other exclusive transactions, also in other processes, and
  /// sees the metadata that they have written.
  func exclusiveTransaction<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value
}

extension TransactionalStore {
  // One transaction at a time writes most stores.
  package func exclusiveTransaction<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value {
    try transaction(body)
  }
}

/// The channel of a context whose saves are kept together at the end of a transaction, or of one save that holds
/// the write lock of its store.
package protocol StoreTransaction: LockedStore {
  /// The saves so far, which other contexts are notified of when the transaction is committed.
  var log: TransactionLog { get set }
}

/// One save of a transaction.
package struct TransactionSave: Sendable {
  let references: SavedReferences
  /// The numbers of the transactions in the stores' histories.
  package fileprivate(set) var history: [String: Int64]

  package init(references: SavedReferences, history: [String: Int64]) {
    self.references = references
    self.history = history
  }
}

/// The saves of a transaction, as long as they are few enough to be named one by one.
package struct TransactionLog: Sendable {
  /// If there are more objects, other contexts are only notified that anything may have changed.
  static let mostObjects = 100_000

  package private(set) var saves: [TransactionSave] = []
  private var count = 0

  package init() {}

  package mutating func add(_ save: TransactionSave) {
    count += save.references.count
    if count > Self.mostObjects {
      saves = [TransactionSave(references: SavedReferences(isEverything: true), history: save.history)]
    } else {
      saves.append(save)
    }
  }

  /// Replaces the places of saves in the history by their numbers.
  ///
  /// - Parameter base: the number before that of the first save.
  package mutating func number(_ store: String, after base: Int64) {
    for index in saves.indices { saves[index].history[store]? += base }
  }
}
