/// A store that can keep many saves together.
protocol TransactionalStore: ObjectStore {
  /// Runs work in a transaction, which is kept when the work has ended and taken back when it
  /// throws.
  func transaction<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value
}

/// The channel of a context whose saves are kept together at the end of a transaction.
protocol StoreTransaction: ObjectChannel {
  /// The saves so far, which others are told of when the transaction is kept.
  var log: TransactionLog { get set }
}

/// One save of a transaction.
struct TransactionSave: Sendable {
  let references: SavedReferences
  /// The numbers of the transactions in the stores' histories.
  let history: [String: Int64]
}

/// The saves of a transaction, as long as they are few enough to be named one by one.
struct TransactionLog: Sendable {
  /// Of more objects, others are only told that anything may have changed.
  static let mostObjects = 100_000

  private(set) var saves: [TransactionSave] = []
  private var count = 0

  mutating func add(_ save: TransactionSave) {
    count += save.references.count
    if count > Self.mostObjects {
      saves = [TransactionSave(references: SavedReferences(isEverything: true), history: save.history)]
    } else {
      saves.append(save)
    }
  }
}
