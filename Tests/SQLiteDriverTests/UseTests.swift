import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SQLiteDriver

@Suite("A connection that is used")
struct UseTests {
  @Test("only one thread at a time uses a connection")
  func threads() throws {
    let connection = try SQLiteConnection()
    try connection.use { try $0.execute(sql: "CREATE TABLE counter (value); INSERT INTO counter VALUES (0)") }
    let users = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<200 {
        connection.use { database in
          let others = users.add(1, ordering: .relaxed).oldValue
          defer { users.subtract(1, ordering: .relaxed) }
          #expect(others == 0)
          let value = (try? Int.fetchOne(database, sql: "SELECT value FROM counter")) ?? -1
          try? database.execute(sql: "UPDATE counter SET value = ?", arguments: [value + 1])
        }
      }
    }
    #expect(try connection.use { try Int.fetchOne($0, sql: "SELECT value FROM counter") } == 1600)
  }

  @Test("a connection can be used again by the work that uses it, if that is requested")
  func again() throws {
    let connection = try SQLiteConnection()
    let value = try connection.use { _ in
      try connection.useAgain { database in
        try connection.useAgain { _ in try Int.fetchOne(database, sql: "SELECT 1") }
      }
    }
    #expect(value == 1)
    // The connection is free afterwards.
    let isFree = Mutex(false)
    let thread = Thread { connection.useAgain { _ in isFree.withLock { $0 = true } } }
    thread.start()
    while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    #expect(isFree.withLock { $0 })
  }

  @Test("a nested use of a connection ends the program by default")
  func reentrance() async {
    await #expect(processExitsWith: .failure) {
      let connection = try SQLiteConnection()
      try connection.use { _ in try connection.use { try $0.execute(sql: "SELECT 1") } }
    }
  }

  @Test("a transaction that is left open without permission ends the program")
  func openTransaction() async {
    await #expect(processExitsWith: .failure) {
      try SQLiteConnection().use { try $0.beginTransaction() }
    }
  }

  @Test("a transaction may stay open if that is allowed")
  func allowedTransaction() throws {
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let connection = try SQLiteConnection(configuration: configuration)
    try connection.use { try $0.beginTransaction() }
    #expect(connection.use { $0.isInsideTransaction })
    try connection.use { try $0.commit() }
    try connection.close()
  }
}
