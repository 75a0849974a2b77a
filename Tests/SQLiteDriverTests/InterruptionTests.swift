import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SQLiteDriver

@Suite("Interrupting a connection")
struct InterruptionTests {
  private static let endless = """
    WITH RECURSIVE n(i) AS (SELECT begun() UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
    """

  @Test("an interrupt ends the running statement, and lets the next one run")
  func running() throws {
    let connection = try SQLiteConnection()
    let begun = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    let error = Mutex<DatabaseError?>(nil)
    Thread.detachNewThread {
      do {
        try connection.use { database throws in
          database.addFunction("begun", argumentCount: 0) { _ in
            begun.signal()
            return 1
          }
          try database.execute(sql: Self.endless)
        }
      } catch let failure {
        error.withLock { $0 = failure as? DatabaseError }
      }
      ended.signal()
    }
    begun.wait()
    connection.interrupt()
    ended.wait()
    #expect(error.withLock { $0?.resultCode } == .SQLITE_INTERRUPT)
    #expect(try connection.use { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
  }

  @Test("an interrupt does not affect a connection that is closing or closed")
  func closing() throws {
    for _ in 0..<50 {
      let connection = try SQLiteConnection()
      let isClosed = Atomic(false)
      let stopped = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        while !isClosed.load(ordering: .relaxed) { connection.interrupt() }
        connection.interrupt()
        stopped.signal()
      }
      try connection.close()
      isClosed.store(true, ordering: .relaxed)
      stopped.wait()
    }
  }
}
