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
    // Opening reads.
    _ = try SQLiteConnection(path: path, configuration: configuration)
  }

  @Test("is refused at once, unless something else is asked for")
  func immediately() throws {
    let error = #expect(throws: DatabaseError.self) { try read(.immediateError) }
    #expect(error?.resultCode == .SQLITE_BUSY && error?.message == "database is locked")
  }

  @Test("is tried for a time")
  func timeout() throws {
    let clock = ContinuousClock()
    let time = clock.measure {
      let error = #expect(throws: DatabaseError.self) { try read(.timeout(0.2)) }
      #expect(error?.resultCode == .SQLITE_BUSY)
    }
    #expect(time >= .milliseconds(100))
  }

  @Test("is tried as long as the function answers so")
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
    // Released where it is waited for.
    try read(
      .callback { [holder] _ in
        try? holder.use { try $0.rollback() }
        return true
      }
    )
  }
}
