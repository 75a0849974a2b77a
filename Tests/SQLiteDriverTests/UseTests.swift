import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SQLiteDriver

@Suite("A connection that is used")
struct UseTests {
  @Test("is one thread's at a time")
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

  @Test("may be used by the work that uses it, where that is asked for")
  func again() throws {
    let connection = try SQLiteConnection()
    let value = try connection.use { _ in
      try connection.useAgain { database in
        try connection.useAgain { _ in try Int.fetchOne(database, sql: "SELECT 1") }
      }
    }
    #expect(value == 1)
    // It is free afterwards.
    let isFree = Mutex(false)
    let thread = Thread { connection.useAgain { _ in isFree.withLock { $0 = true } } }
    thread.start()
    while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    #expect(isFree.withLock { $0 })
  }

  @Test("ends the program when the work that uses it uses it once more")
  func reentrance() async {
    await #expect(processExitsWith: .failure) {
      let connection = try SQLiteConnection()
      try connection.use { _ in try connection.use { try $0.execute(sql: "SELECT 1") } }
    }
  }

  @Test("ends the program when a transaction is left open that may not be")
  func openTransaction() async {
    await #expect(processExitsWith: .failure) {
      try SQLiteConnection().use { try $0.beginTransaction() }
    }
  }

  @Test("keeps a transaction open where that is allowed")
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
