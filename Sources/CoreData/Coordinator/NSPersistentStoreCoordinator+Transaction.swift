import Foundation

/// Perennial's own: Apple's framework commits each save separately.
extension NSPersistentStoreCoordinator {
  /// A Boolean value that is true when ``performTransaction(_:)`` can be called: there is one
  /// store, in SQLite or PostgreSQL, and it can be written.
  public final var canPerformTransactions: Bool { transactionalStore != nil }

  /// Keeps many saves together: all of them when the work has ended, or none when it throws.
  ///
  /// The work gets a context on whose queue it runs. The context reads its own saves again, and may forget their
  /// objects by ``NSManagedObjectContext/reset()``, so it can write more than memory holds. Changes that are not saved
  /// when the work ends are dropped. No other context sees any of the changes before all of them are committed. Then,
  /// save by save, the context posts `NSManagedObjectContextDidSave` with faults and
  /// `NSManagedObjectContextDidSaveObjectIDs`, and contexts that merge changes automatically merge them. When more than
  /// 100,000 objects were saved, one notification with ``NSInvalidatedAllObjectsKey`` says that anything may have
  /// changed: contexts then refresh their registered objects, and find new objects when they fetch. Metadata that the
  /// work sets with ``setMetadata(_:for:)`` are committed with the rest; they are read again at the beginning, so that
  /// the work sees what other processes have written. Each save is a transaction of the persistent history.
  ///
  /// While the work runs, other contexts and processes can read the store, and wait to write it.
  /// The work also waits for their writes, for at most the store's timeout. Saving another context
  /// of the coordinator from within the work is an error.
  ///
  /// In a PostgreSQL store, other connections write meanwhile, and wait only for the rows that the work has changed.
  /// The work is run once. If a deadlock or a lost connection has ended the transaction, the next save throws, nothing
  /// of the transaction is kept, and the application repeats the transaction as a whole.
  ///
  /// ```swift
  /// try coordinator.performTransaction { context in
  ///   for number in 1...1_000 {
  ///     Note(context: context).title = "Note \(number)"
  ///     guard number.isMultiple(of: 250) else { continue }
  ///     try context.save()
  ///     context.reset()
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter work: gets a context of its own, which must not be used after it.
  /// - Throws: what the work throws, an error in `NSCocoaErrorDomain` of the store, or
  ///   `NSPersistentStoreOperationError` when ``canPerformTransactions`` is false.
  public final func performTransaction<Result>(_ work: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try performTransaction(isExclusive: false, work)
  }

  /// Commits many saves together, as ``performTransaction(_:)`` does, and waits for all other exclusive transactions,
  /// so that the work finds the metadata that they have written. A SQLite store excludes all other writers anyway; a
  /// PostgreSQL store excludes only exclusive transactions.
  package final func performExclusiveTransaction<Result>(
    _ work: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    try performTransaction(isExclusive: true, work)
  }

  private func performTransaction<Result>(
    isExclusive: Bool,
    _ work: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    guard let store = transactionalStore else {
      throw StoreFailure.operation(
        """
        performTransaction(_:) needs a coordinator with one store, in SQLite or PostgreSQL, that can be written; save \
        once instead, or use a coordinator of its own for that store.
        """
      )
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = self
    func body(_ transaction: any StoreTransaction) throws -> (Result, [TransactionSave]) {
      let result = try context.queue.sync {
        defer { context.leaveTransaction() }
        context.channel = transaction
        return try work(context)
      }
      return (result, transaction.log.saves)
    }
    let (result, saves) = try isExclusive ? store.exclusiveTransaction(body) : store.transaction(body)
    context.queue.sync { for save in saves { context.publish(save) } }
    return result
  }

  private var transactionalStore: (any TransactionalStore)? {
    let open = openStores
    guard open.count == 1, let store = open[0] as? any TransactionalStore, !store.isReadOnly else { return nil }
    return store
  }
}

extension NSManagedObjectContext {
  /// Drops what was not saved, and goes back to the stores as all see them.
  fileprivate func leaveTransaction() {
    reset()
    channel = coordinatorSet
  }
}
