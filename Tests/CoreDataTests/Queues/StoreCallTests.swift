import Foundation
import SQLiteDriver
import Synchronization
import Testing

@testable import CoreData

@Suite("Calls that end")
struct StoreCallTests {
  /// A query that never ends.
  private static let endless = """
    WITH RECURSIVE numbers(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM numbers) SELECT COUNT(*) FROM numbers
    """

  @Test("a save has one limit for all that it waits for")
  func oneLimit() async throws {
    let limits = StoreCall.begin {
      (0..<3).map { _ in
        let limit = StoreCall.limit(timeout: 10)
        while ContinuousClock.now < limit - .seconds(10) {}
        return limit
      }
    }
    #expect(Set(limits).count == 1)
    #expect(StoreCall.current == nil)
  }

  @Test("each of two saves has its own limit, even if one begins inside of the other")
  func ownLimits() {
    StoreCall.begin {
      let outer = StoreCall.limit(timeout: 10)
      StoreCall.begin { #expect(StoreCall.limit(timeout: 10) > outer) }
      #expect(StoreCall.limit(timeout: 10) == outer)
    }
  }

  @Test("a call's deadline applies if it is earlier than the store's timeout")
  func deadline() {
    let deadline = ContinuousClock.now + .seconds(3600)
    StoreCall(deadline: deadline, isBounded: true).run {
      #expect(StoreCall.limit(timeout: 86400) == deadline)
      #expect(StoreCall.limit(timeout: 1) < deadline)
    }
  }

  @Test(
    "any timeout may be asked for",
    arguments: [1e300, -1e300, .infinity, -.infinity, .nan, 0] as [Double]
  )
  func timeouts(timeout: Double) {
    #expect(StoreCall.limit(timeout: timeout) <= .now + .seconds(86400))
  }

  @Test("a query ends in its middle when its call is late, and the connection can be used again")
  func lateQuery() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(folder)
    let connections = try store.engine().connections
    let call = StoreCall(deadline: .now + .milliseconds(30), isBounded: true)
    let error = call.run {
      #expect(throws: NSError.self) {
        try store.reading("The fetch failed") {
          try connections.readOnce { try $0.execute(sql: Self.endless) }
        }
      }
    }
    #expect(error?.code == NSPersistentStoreTimeoutError)
    #expect(error?.localizedDescription.contains(folder.file().path) == true)
    #expect(try connections.readOnce { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
    try store.close()
  }

  @Test("a write ends in its middle when its call is cancelled, and is rolled back")
  func cancelledWrite() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(folder)
    let connections = try store.engine().connections
    let call = StoreCall(isBounded: true)
    let error = #expect(throws: CancellationError.self) {
      try call.run {
        try store.reading("The save failed") {
          try connections.write { database in
            try database.execute(sql: "UPDATE Z_METADATA SET Z_VERSION = 77")
            call.cancel()
            try database.execute(sql: Self.endless)
          }
        }
      }
    }
    #expect(error != nil)
    #expect(try connections.readOnce { try Int.fetchOne($0, sql: "SELECT Z_VERSION FROM Z_METADATA") } == 1)
    try store.close()
  }

  @Test("every waiting thread is notified when a call ends, or at once if it has ended")
  func handlers() {
    let call = StoreCall(isBounded: true)
    let ends = Mutex<[StoreCall.End]>([])
    let forgotten = call.onEnd { end in ends.withLock { $0.append(end) } }
    call.forget(forgotten)
    _ = call.onEnd { end in ends.withLock { $0.append(end) } }
    call.cancel()
    #expect(ends.withLock { $0 } == [.cancelled])
    _ = call.onEnd { end in ends.withLock { $0.append(end) } }
    #expect(ends.withLock { $0 } == [.cancelled, .cancelled])
  }

  @Test("deadlines fire in time, and removed ones do not fire")
  func deadlines() async {
    let deadlines = Deadlines()
    let removed = deadlines.add(.now + .seconds(3600)) { Issue.record("was removed") }
    deadlines.remove(removed)
    await withTaskGroup(of: Bool.self) { group in
      for milliseconds in [60, 40, -1000] {
        group.addTask {
          let deadline = ContinuousClock.now + .milliseconds(milliseconds)
          return await withCheckedContinuation { continuation in
            _ = deadlines.add(deadline) { continuation.resume(returning: .now >= deadline) }
          }
        }
      }
      for await isInTime in group { #expect(isInTime) }
    }
  }
}
