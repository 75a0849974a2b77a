import Foundation
import TestSupport
import Testing

@testable import SQLiteDriver

@Suite("Closing a connection")
struct ClosingTests {
  @Test("closing a connection releases its cached statements, and happens once")
  func held() throws {
    let connection = try SQLiteConnection()
    try connection.use { try $0.cachedStatement(sql: "SELECT 1").execute() }
    try connection.close()
    try connection.close()
  }

  @Test("closing is refused while a statement exists, and the connection stays usable")
  func statementLeft() throws {
    let connection = try SQLiteConnection()
    var statement: Statement? = try connection.use { try $0.makeStatement(sql: "SELECT 1") }
    let error = #expect(throws: DatabaseError.self) { try connection.close() }
    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(try connection.use { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
    #expect(statement != nil)
    statement = nil
    try connection.close()
  }

  @Test("a closed connection refuses every call")
  func closed() throws {
    let connection = try SQLiteConnection()
    try connection.close()
    let error = #expect(throws: DatabaseError.self) { try connection.use { try $0.execute(sql: "SELECT 1") } }
    #expect(error?.resultCode == .SQLITE_MISUSE && error?.message == "the connection is closed")
    #expect(!connection.use { $0.isInsideTransaction })
  }

  @Test("closing by the last reference leaves a statement that can run to its end")
  func lastReference() throws {
    let folder = try TestFolder()
    let path = folder.url.appendingPathComponent("data.sqlite").path
    var statement: Statement?
    try {
      let connection = try SQLiteConnection(path: path)
      statement = try connection.use { try $0.makeStatement(sql: "SELECT 1") }
    }()
    try statement?.execute()
    statement = nil
    // The first connection no longer has the file open.
    let other = try SQLiteConnection(path: path)
    try other.use { try $0.execute(sql: "BEGIN EXCLUSIVE; COMMIT") }
  }

  @Test("closing rolls an open transaction back")
  func openTransaction() throws {
    let folder = try TestFolder()
    let path = folder.url.appendingPathComponent("data.sqlite").path
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let connection = try SQLiteConnection(path: path, configuration: configuration)
    try connection.use { database throws in
      try database.beginTransaction()
      try database.execute(sql: "CREATE TABLE note (title)")
    }
    try connection.close()
    #expect(try SQLiteConnection(path: path).read { try !$0.tableExists("note") })
  }
}
