import CSystemSQLite

extension Database {
  /// When a transaction takes its locks: <https://www.sqlite.org/lang_transaction.html>.
  package enum TransactionKind: String, Sendable {
    case deferred = "DEFERRED"
    case immediate = "IMMEDIATE"
    case exclusive = "EXCLUSIVE"
  }

  package func beginTransaction(_ kind: TransactionKind = .immediate) throws {
    try cachedStatement(sql: "BEGIN \(kind.rawValue) TRANSACTION").execute()
  }

  package func commit() throws { try cachedStatement(sql: "COMMIT TRANSACTION").execute() }

  /// Rolls the transaction back, if one is open. After some errors, SQLite has already rolled back automatically:
  /// <https://www.sqlite.org/lang_transaction.html>.
  package func rollback() throws {
    guard isInsideTransaction else { return }
    try uninterrupted { try cachedStatement(sql: "ROLLBACK TRANSACTION").execute() }
  }

  /// Runs work in a transaction, which is committed when the work returns and rolled back when it throws.
  package func inTransaction<Value>(_ kind: TransactionKind = .immediate, _ work: () throws -> Value) throws -> Value {
    try beginTransaction(kind)
    do {
      let value = try inBlock(work)
      try commit()
      return value
    } catch {
      try? rollback()
      throw error
    }
  }

  /// Runs work that is kept as a whole or not at all, as a part of the transaction that is open. Where none is open,
  /// it is a transaction of its own.
  package func inSavepoint<Value>(_ work: () throws -> Value) throws -> Value {
    guard isInsideTransaction else { return try inTransaction(.immediate, work) }
    try cachedStatement(sql: "SAVEPOINT perennial").execute()
    do {
      let value = try inBlock(work)
      try cachedStatement(sql: "RELEASE SAVEPOINT perennial").execute()
      return value
    } catch {
      // If SQLite has rolled back the whole transaction, the savepoint no longer exists.
      if isInsideTransaction {
        try? uninterrupted {
          try cachedStatement(sql: "ROLLBACK TRANSACTION TO SAVEPOINT perennial").execute()
          try cachedStatement(sql: "RELEASE SAVEPOINT perennial").execute()
        }
      }
      throw error
    }
  }

  /// - Throws: an error if SQLite has rolled the transaction back during the work, which must not end as if it had
  ///   been committed.
  private func inBlock<Value>(_ work: () throws -> Value) throws -> Value {
    let isInner = isInTransactionBlock
    isInTransactionBlock = true
    defer { isInTransactionBlock = isInner }
    let value = try work()
    try requireTransaction(sql: nil)
    return value
  }

  /// Called before a statement runs: outside of its block's transaction, the statement would be committed alone.
  func requireTransaction(sql: String?) throws {
    guard isInTransactionBlock, !isInsideTransaction else { return }
    throw DatabaseError(resultCode: .SQLITE_ABORT, message: "Transaction was aborted", sql: sql)
  }

  /// Repeats work that an interruption has ended, because the interruption was meant for earlier statements.
  /// Otherwise a transaction would stay open, or a connection would be unable to write.
  private func uninterrupted(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_INTERRUPT || error.resultCode == .SQLITE_ABORT
    {
      resetStatements()
      try work()
    }
  }

  /// SQLite clears an interruption when no statement is running any more:
  /// <https://www.sqlite.org/c3ref/interrupt.html>.
  private func resetStatements() {
    var statement = sqlite3_next_stmt(sqliteConnection, nil)
    while let current = statement {
      sqlite3_reset(current)
      statement = sqlite3_next_stmt(sqliteConnection, current)
    }
  }

  // MARK: - Reading

  /// Runs work that cannot write, and that sees one state of the database: a part of the transaction that is open, or
  /// one of its own.
  func reading<Value>(_ work: () throws -> Value) throws -> Value {
    try setQueryOnly(true)
    do {
      let value = try isInsideTransaction ? work() : inTransaction(.deferred, work)
      try setQueryOnly(false)
      return value
    } catch {
      try? setQueryOnly(false)
      throw error
    }
  }

  /// Blocks of read-only work may be nested.
  private func setQueryOnly(_ isQueryOnly: Bool) throws {
    if configuration.readonly { return }
    if isQueryOnly {
      if readOnlyDepth == 0 { try cachedStatement(sql: "PRAGMA query_only = 1").execute() }
      readOnlyDepth += 1
    } else {
      readOnlyDepth -= 1
      if readOnlyDepth > 0 { return }
      try uninterrupted { try cachedStatement(sql: "PRAGMA query_only = 0").execute() }
    }
  }
}
