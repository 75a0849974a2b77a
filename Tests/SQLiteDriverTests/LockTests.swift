import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SQLiteDriver

@Suite("A database that another connection has locked")
struct LockTests {
  private let folder: TestFolder
  private let path: String
  private let holder: SQLiteConnection

  init() throws {
    folder = try TestFolder()
    path = folder.url.appendingPathComponent("data.sqlite").path
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    holder = try SQLiteConnection(path: path, configuration: configuration)
    try holder.use { database throws in
      try database.execute(sql: "CREATE TABLE note (title)")
      try database.beginTransaction(.exclusive)
    }
  }

  private func read(_ busyMode: SQLiteConfiguration.BusyMode) throws {
    var configuration = SQLiteConfiguration()
    configuration.busyMode = busyMode
    // Opening a connection reads the file.
    _ = try SQLiteConnection(path: path, configuration: configuration)
  }

  @Test("a locked database is refused at once by default")
  func immediately() throws {
    let error = #expect(throws: DatabaseError.self) { try read(.immediateError) }
    #expect(error?.resultCode == .SQLITE_BUSY && error?.message == "database is locked")
  }

  @Test("a locked database is retried for a time")
  func timeout() throws {
    let clock = ContinuousClock()
    let time = clock.measure {
      let error = #expect(throws: DatabaseError.self) { try read(.timeout(0.2)) }
      #expect(error?.resultCode == .SQLITE_BUSY)
    }
    #expect(time >= .milliseconds(100))
  }

  @Test("a locked database is retried as long as the function returns true")
  func callback() throws {
    let tries = Mutex<[Int]>([])
    let error = #expect(throws: DatabaseError.self) {
      try read(
        .callback { number in
          tries.withLock { $0.append(number) }
          return number < 3
        }
      )
    }
    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(tries.withLock { $0 } == [0, 1, 2, 3])
    // Releases the lock when the reader waits for it.
    try read(
      .callback { [holder] _ in
        try? holder.use { try $0.rollback() }
        return true
      }
    )
  }
}
