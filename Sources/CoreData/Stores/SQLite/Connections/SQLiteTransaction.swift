import SQLiteDriver

/// A transaction of many saves, or of one that may be retried: the channel of a context that reads its own
/// uncommitted writes.
final class SQLiteTransaction: SQLTransaction, SQLiteConnectionReader, SQLiteWriteTarget {
  typealias Session = SQLiteWriteSession

  let store: SQLiteStore
  let connection: SQLiteConnection
  private var files = SQLiteFileChanges()
  var log = TransactionLog()
  /// True while a change is written, also where a handler of it is asked.
  private var isWriting = false

  init(store: SQLiteStore, connection: SQLiteConnection) {
    self.store = store
    self.connection = connection
  }

  // MARK: - Reading

  /// A batch's handler may read the rows that the batch has written so far.
  func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try connection.useAgain { database in try isWriting ? body(database) : database.endingWithCall(body) }
  }

  // MARK: - Writing

  /// Each write is a savepoint, so that a failed write leaves the earlier ones intact.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    if isWriting { throw FairWriteLock.isInTransaction }
    isWriting = true
    defer { isWriting = false }
    // Runs within the connection's open transaction, whichever caller began it.
    return try connection.useAgain { database in
      // After some failures SQLite rolls back the whole transaction, and a savepoint would begin a new one:
      // <https://www.sqlite.org/lang_transaction.html>.
      guard database.isInsideTransaction else { throw Self.wasTakenBack }
      return try database.inSavepoint { try database.endingWithCall(body) }
    }
  }

  private static let wasTakenBack = DatabaseError(
    resultCode: .SQLITE_ABORT,
    message: "an earlier failure took the whole transaction back; let its work end, and begin it anew"
  )

  func release(_ files: SQLiteFileChanges, folder: ExternalDataFolder) {
    self.files.new += files.new
    self.files.old += files.old
    self.files.markers += files.markers
  }

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try store.permanentReferences(for: objects, through: self)
  }

  // MARK: - The whole

  /// Reads the current metadata: the last owner of the write lock may have changed them.
  fileprivate func readMetadata() throws {
    let metadata = try readOnce { try StoreMetadata.read(from: $0, file: store.file) }
    if let metadata { store.metadataState.wereRead(metadata) }
  }

  /// Called at the end, before the transaction is committed.
  fileprivate func writeMetadata() throws -> (StoreMetadata, StoreMetadataState.Changes)? {
    guard let changed = store.metadataState.changed else { return nil }
    try requireOpen()
    // No other program could write them since the transaction read them. There is no savepoint, for which SQLite would
    // write the former pages into a file: if this fails, the whole transaction does.
    try connection.useAgain { database in
      try database.endingWithCall { try changed.metadata.write(to: $0, file: store.file, isNew: false) }
    }
    return changed
  }

  /// - Throws: an error if SQLite has rolled back the transaction after a failure that the work has caught.
  fileprivate func requireOpen() throws {
    let isOpen = connection.useAgain { $0.isInsideTransaction }
    if !isOpen { throw Self.wasTakenBack }
  }

  fileprivate func removeOldFiles(_ engine: SQLiteStore.Engine) {
    engine.connections.release(files, folder: engine.external)
  }

  fileprivate func removeNewFiles(_ folder: ExternalDataFolder) { folder.remove(new: files) }
}

extension SQLiteStore: TransactionalStore {
  func transaction<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value {
    try transaction(isOneSave: false, body)
  }

  func whileLocked(_ work: (any LockedStore) throws -> CommitOutcome) throws -> CommitOutcome {
    try transaction(isOneSave: true) { try work($0) }
  }

  /// - Parameter isOneSave: true on the connection of all saves, and false on one of the transaction's own.
  private func transaction<Value>(isOneSave: Bool, _ body: (any StoreTransaction) throws -> Value) throws -> Value {
    let engine = try writableEngine()
    var begun: SQLiteTransaction?
    var committed: (StoreMetadata, StoreMetadataState.Changes)?
    // A commit that fails may be on the disk all the same, with rows that name the new files.
    var isWritten = false
    func run(on connection: SQLiteConnection) throws -> Value {
      let transaction = SQLiteTransaction(store: self, connection: connection)
      begun = transaction
      try transaction.readMetadata()
      let value = try body(transaction)
      committed = try transaction.writeMetadata()
      try transaction.requireOpen()
      try StoreCall.current?.check(waitingFor: StoreCall.aboutToCommit)
      isWritten = true
      return value
    }
    do {
      let value = try isOneSave ? engine.connections.whileLocked(run) : engine.connections.transaction(run)
      if let (metadata, changes) = committed { metadataState.wereCommitted(metadata, changes: changes) }
      begun?.removeOldFiles(engine)
      engine.historyLifetime?.historyGrew(engine)
      return value
    } catch {
      if !isWritten { begun?.removeNewFiles(engine.external) }
      let failing = isOneSave ? "The save failed" : "The transaction failed"
      throw SQLiteFailure.errorOfStore(error, file: file, doing: failing)
    }
  }
}
