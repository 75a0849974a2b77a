import Dispatch
import Foundation
import SQLiteDriver
import Synchronization
import Testing

@testable import CoreData

@Suite("The write lock of a store")
struct FairWriteLockTests {
  /// A thread that holds the write lock until `leave()` is called.
  private final class Writer: Sendable {
    private let door = DispatchSemaphore(value: 0)
    private let gone = DispatchSemaphore(value: 0)

    init(_ writeLock: FairWriteLock) {
      let inside = DispatchSemaphore(value: 0)
      Thread { [self] in
        try? writeLock.hold(timeout: 86_400) {
          inside.signal()
          door.wait()
        }
        gone.signal()
      }
      .start()
      inside.wait()
    }

    func leave() {
      door.signal()
      gone.wait()
    }
  }

  private func call(_ deadline: ContinuousClock.Instant? = nil) -> StoreCall {
    StoreCall(deadline: deadline, isBounded: true)
  }

  /// Waits for the write lock on a new thread, and returns the error.
  private func hold(
    _ writeLock: FairWriteLock,
    timeout: TimeInterval,
    _ work: @escaping @Sendable () -> Void = {}
  )
    async -> (any Error)?
  {
    await withCheckedContinuation { continuation in
      Thread {
        let result = Result { try writeLock.hold(timeout: timeout, work) }
        guard case .failure(let error) = result else { return continuation.resume(returning: nil) }
        continuation.resume(returning: error)
      }
      .start()
    }
  }

  private func untilWaiting(_ count: Int, for writeLock: FairWriteLock) async {
    while writeLock.waitingCount != count { await Task.yield() }
  }

  @Test("each of many threads times out separately")
  func threads() async throws {
    let writeLock = FairWriteLock()
    // The writer holds the lock until all calls have timed out. If the calls waited for each other, this would hang.
    let writer = Writer(writeLock)
    let codes = await withTaskGroup(of: ResultCode?.self) { group in
      for _ in 0..<6 {
        group.addTask { (await hold(writeLock, timeout: 1) as? DatabaseError)?.resultCode }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == Array(repeating: .SQLITE_BUSY, count: 6))
    writer.leave()
    try writeLock.hold(timeout: 60) {}
  }

  @Test("threads and tasks get the write lock in the order in which they came")
  func order() async throws {
    let writeLock = FairWriteLock()
    let writer = Writer(writeLock)
    let order = Recorder<Int>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<10 {
        group.addTask {
          if number % 2 == 0 {
            let error = await hold(writeLock, timeout: 86_400) { order.add(number) }
            #expect(error == nil)
          } else {
            let call = call()
            try await writeLock.take(for: call, timeout: 86_400)
            order.add(number)
            writeLock.end(call)
          }
        }
        await untilWaiting(number + 1, for: writeLock)
      }
      writer.leave()
      try await group.waitForAll()
    }
    #expect(order.elements == Array(0..<10))
  }

  @Test("a call that has the write lock does not wait for it, and cannot begin a transaction within its own")
  func again() async throws {
    let writeLock = FairWriteLock()
    let call = call()
    try await writeLock.take(for: call, timeout: 60)
    try call.run {
      try writeLock.hold(timeout: 0) {
        let error = #expect(throws: DatabaseError.self) { try writeLock.hold(timeout: 0) {} }
        #expect(error?.resultCode == .SQLITE_MISUSE)
      }
      try writeLock.hold(timeout: 0) {}
    }
    writeLock.end(call)
    try writeLock.hold(timeout: 0) {}
  }

  @Test("a call whose thread waits in its transaction for another thread is not let in there either")
  func otherThread() async throws {
    let writeLock = FairWriteLock()
    let call = call()
    try await writeLock.take(for: call, timeout: 60)
    let done = DispatchSemaphore(value: 0)
    let error = try call.run {
      try writeLock.hold(timeout: 0) {
        let error = Mutex<(any Error)?>(nil)
        Thread {
          do { try call.run { try writeLock.hold(timeout: 86_400) {} } } catch let caught {
            error.withLock { $0 = caught }
          }
          done.signal()
        }
        .start()
        done.wait()
        return error.withLock { $0 as? DatabaseError }
      }
    }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    writeLock.end(call)
  }

  @Test("a thread in a transaction that wants another one gets an error instead of waiting for itself")
  func nested() throws {
    let writeLock = FairWriteLock()
    try writeLock.hold(timeout: 60) {
      let error = #expect(throws: DatabaseError.self) { try writeLock.hold(timeout: 60) {} }
      #expect(error?.resultCode == .SQLITE_MISUSE)
    }
  }

  @Test("a canceled task stops waiting, and the next ones get the write lock")
  func cancelled() async throws {
    let writeLock = FairWriteLock()
    let writer = Writer(writeLock)
    let calls = (0..<3).map { _ in call() }
    let results = await withTaskGroup(of: (Int, Bool).self) { group in
      for (number, call) in calls.enumerated() {
        group.addTask {
          do {
            try await writeLock.take(for: call, timeout: 86_400)
            writeLock.end(call)
            return (number, true)
          } catch {
            #expect((error as? StoreCallEnded)?.end == .cancelled)
            return (number, false)
          }
        }
        await untilWaiting(number + 1, for: writeLock)
      }
      calls[1].cancel()
      await untilWaiting(2, for: writeLock)
      writer.leave()
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(results == [0: true, 1: false, 2: true])
  }

  @Test("a call that is cancelled, or late, does not begin to wait")
  func over() async throws {
    let writeLock = FairWriteLock()
    let cancelled = call()
    cancelled.cancel()
    await #expect(throws: StoreCallEnded.self) { try await writeLock.take(for: cancelled, timeout: 60) }
    await #expect(throws: StoreCallEnded.self) { try await writeLock.take(for: call(.now), timeout: 60) }
    try writeLock.hold(timeout: 0) {}
  }

  @Test("a task times out at its deadline, even if the store would wait longer")
  func deadline() async throws {
    let writeLock = FairWriteLock()
    let writer = Writer(writeLock)
    let error = await #expect(throws: StoreCallEnded.self) {
      try await writeLock.take(for: call(.now + .milliseconds(20)), timeout: 86_400)
    }
    #expect(error?.end == .late)
    #expect(writeLock.waitingCount == 0)
    writer.leave()
  }

  @Test("a task times out with the store's timeout, even if its deadline is later")
  func timeout() async throws {
    let writeLock = FairWriteLock()
    let writer = Writer(writeLock)
    let error = await #expect(throws: DatabaseError.self) {
      try await writeLock.take(for: call(.now + .seconds(86_400)), timeout: 0)
    }
    #expect(error?.resultCode == .SQLITE_BUSY)
    writer.leave()
  }

  @Test("many timed-out waits leave no entries, and do not block others")
  func manyGone() async throws {
    let writeLock = FairWriteLock()
    let writer = Writer(writeLock)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<500 {
        group.addTask {
          await #expect(throws: StoreCallEnded.self) {
            try await writeLock.take(for: call(.now + .milliseconds(10)), timeout: 86_400)
          }
        }
      }
    }
    #expect(writeLock.waitingCount == 0)
    writer.leave()
    try writeLock.hold(timeout: 0) {}
  }
}
