import Dispatch
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("The readers of a store at a time")
struct ReaderSemaphoreTests {
  private let semaphore = ReaderSemaphore(count: 1, timeout: 86_400)

  /// A thread that takes a permit until it is released, and reports its result.
  private final class Reader: Sendable {
    let door = DispatchSemaphore(value: 0)
    let call = StoreCall(isBounded: true)
    private let end = SuspendedWait<Void>()

    init(_ semaphore: ReaderSemaphore, _ inside: @escaping @Sendable () -> Void = {}) {
      Thread { [self] in
        end.resume(
          with: Result {
            try call.run {
              try semaphore.with {
                inside()
                door.wait()
              }
            }
          }
        )
      }
      .start()
    }

    func outcome() async throws { try await end.untilResumed() }
  }

  /// A reader that has the permit.
  private func reader() async -> Reader {
    let inside = Signal()
    let reader = Reader(semaphore) { inside.send() }
    await inside.wait()
    return reader
  }

  private func untilWaiting(_ count: Int) async {
    while semaphore.waitingCount != count { await Task.yield() }
  }

  @Test("readers get permits in the order in which threads asked")
  func order() async throws {
    let first = await reader()
    let order = Recorder<Int>()
    var readers: [Reader] = []
    for number in 0..<4 {
      readers.append(Reader(semaphore) { order.add(number) })
      await untilWaiting(number + 1)
    }
    first.door.signal()
    for reader in readers {
      reader.door.signal()
      try await reader.outcome()
    }
    #expect(order.elements == [0, 1, 2, 3])
  }

  @Test("a canceled call does not wait for a permit to read, which goes to the next one")
  func cancelled() async throws {
    let first = await reader()
    let (gone, next) = (Reader(semaphore), Reader(semaphore))
    await untilWaiting(2)
    gone.call.cancel()
    await #expect(throws: StoreCallEnded.self) { try await gone.outcome() }
    await untilWaiting(1)
    first.door.signal()
    next.door.signal()
    try await next.outcome()
    try semaphore.with {}
  }

  @Test("the wait for a permit to read is limited by the store's timeout")
  func timeout() async throws {
    let semaphore = ReaderSemaphore(count: 1, timeout: 0)
    let inside = Signal()
    let first = Reader(semaphore) { inside.send() }
    await inside.wait()
    let error = await #expect(throws: DatabaseError.self) { try await Reader(semaphore).outcome() }
    #expect(error?.resultCode == .SQLITE_BUSY)
    first.door.signal()
    try await first.outcome()
    try semaphore.with {}
  }
}
