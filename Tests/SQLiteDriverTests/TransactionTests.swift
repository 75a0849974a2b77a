import Foundation
import TestSupport
import Testing

@testable import SQLiteDriver

@Suite("Transactions of a connection")
struct TransactionTests {
  private struct Unwanted: Error {}

  private let folder: TestFolder
  private let connection: SQLiteConnection

  init() throws {
    folder = try TestFolder()
    connection = try SQLiteConnection(path: folder.url.appendingPathComponent("data.sqlite").path)
    try connection.write { try $0.execute(sql: "CREATE TABLE note (title UNIQUE)") }
  }

  private func titles() throws -> [String] {
    try connection.read { try String.fetchAll($0, sql: "SELECT title FROM note ORDER BY title") }
  }

  private func insert(_ title: String, in database: Database) throws {
    try database.execute(sql: "INSERT INTO note VALUES (?)", arguments: [title])
  }

  /// The code of the error that some work throws.
  private func code(_ work: () throws -> Void) -> ResultCode? {
    do {
      try work()
      return nil
    } catch {
      return (error as? DatabaseError)?.resultCode
    }
  }

  @Test("work that throws is rolled back, and other work is committed")
  func kept() throws {
    #expect(throws: Unwanted.self) {
      try connection.write { database throws in
        try insert("lost", in: database)
        throw Unwanted()
      }
    }
    try connection.write { try insert("kept", in: $0) }
    #expect(try titles() == ["kept"])
  }

  /// Inserts a note in a savepoint that throws.
  private func lose(in database: Database) throws {
    try database.inSavepoint {
      try insert("lost", in: database)
      throw Unwanted()
    }
  }

  @Test("a savepoint that throws keeps the earlier work")
  func savepoints() throws {
    try connection.write { database in
      try insert("before", in: database)
      do { try lose(in: database) } catch is Unwanted {}
      try database.inSavepoint {
        try insert("inner", in: database)
        try database.inSavepoint { try insert("innermost", in: database) }
      }
    }
    #expect(try titles() == ["before", "inner", "innermost"])
  }

  @Test("a savepoint without a transaction is one")
  func savepointAlone() throws {
    try connection.use { database throws in
      try database.inSavepoint {
        #expect(database.isInsideTransaction)
        try insert("kept", in: database)
      }
      #expect(!database.isInsideTransaction)
    }
    #expect(try titles() == ["kept"])
  }

  @Test("a transaction that SQLite has rolled back does not end as if it were committed")
  func takenBack() throws {
    var later: ResultCode?
    let error = #expect(throws: DatabaseError.self) {
      try connection.write { database throws in
        try insert("one", in: database)
        try? database.execute(sql: "INSERT OR ROLLBACK INTO note VALUES ('one')")
        #expect(!database.isInsideTransaction)
        later = code { try insert("two", in: database) }
      }
    }
    #expect(error?.resultCode == .SQLITE_ABORT && error?.message == "Transaction was aborted")
    // Without the error, the later statement would have been committed alone.
    #expect(later == .SQLITE_ABORT)
    #expect(try titles().isEmpty)
    try connection.write { try insert("three", in: $0) }
    #expect(try titles() == ["three"])
  }

  @Test("reading cannot write, sees one state, and lets the connection write afterwards")
  func reading() throws {
    let other = try SQLiteConnection(path: connection.path)
    try other.use { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try connection.read { database throws in
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM note") == 0)
      try other.write { try insert("others", in: $0) }
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM note") == 0)
      let error = #expect(throws: DatabaseError.self) { try insert("own", in: database) }
      #expect(error?.resultCode == .SQLITE_READONLY)
    }
    try connection.write { try insert("own", in: $0) }
    #expect(try titles() == ["others", "own"])
  }

  @Test("reading that throws lets the connection write afterwards")
  func readingThrows() throws {
    #expect(throws: Unwanted.self) { try connection.read { _ in throw Unwanted() } }
    try connection.write { try insert("kept", in: $0) }
    #expect(try titles() == ["kept"])
  }

  @Test("an interrupt of the earlier statements does not interrupt the rollback")
  func interruptedRollback() throws {
    try connection.use { database throws in
      try insert("one", in: database)
      try database.beginTransaction()
      try insert("two", in: database)
      let query = try database.makeStatement(sql: "SELECT title FROM note")
      #expect(try query.step())
      // SQLite keeps the interrupt as long as the query runs.
      connection.interrupt()
      try database.rollback()
      #expect(!database.isInsideTransaction)
    }
    #expect(try titles() == ["one"])
  }
}
