/// A store that can keep many saves together.
protocol TransactionalStore: ObjectStore {
  /// Runs work in a transaction, which is kept when the work has ended and taken back when it throws.
  func transaction<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value
}

/// What a context asks whose saves are kept together at the end of a transaction.
protocol StoreTransaction: ObjectChannel {
  /// The saves so far, which others are told of when the transaction is kept.
  var saves: [TransactionSave] { get }

  func note(_ save: TransactionSave)
}

/// One save of a transaction.
struct TransactionSave: Sendable {
  let references: SavedReferences
  /// The numbers of the transactions in the stores' histories.
  let history: [String: Int64]
}
