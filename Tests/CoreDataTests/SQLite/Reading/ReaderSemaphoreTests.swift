import Dispatch
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Places to read a store at")
struct ReadPlacesTests {
  private let places = ReaderSemaphore(count: 1, timeout: 86_400)

  /// A thread that takes a place until it is released, and reports its result.
  private final class Reader: Sendable {
    let door = DispatchSemaphore(value: 0)
    let call = StoreCall(isBounded: true)
    private let end = SuspendedWait<Void>()

    init(_ places: ReaderSemaphore, _ inside: @escaping @Sendable () -> Void = {}) {
      Thread { [self] in
        end.resume(
          with: Result {
            try call.run {
              try places.with {
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

  /// A reader that has the place.
  private func reader() async -> Reader {
    let inside = Signal()
    let reader = Reader(places) { inside.send() }
    await inside.wait()
    return reader
  }

  private func untilWaiting(_ count: Int) async {
    while places.waitingCount != count { await Task.yield() }
  }

  @Test("read places are assigned in the order in which threads asked")
  func order() async throws {
    let first = await reader()
    let order = Recorder<Int>()
    var readers: [Reader] = []
    for number in 0..<4 {
      readers.append(Reader(places) { order.add(number) })
      await untilWaiting(number + 1)
    }
    first.door.signal()
    for reader in readers {
      reader.door.signal()
      try await reader.outcome()
    }
    #expect(order.elements == [0, 1, 2, 3])
  }

  @Test("a canceled call does not wait for a read place, which goes to the next one")
  func cancelled() async throws {
    let first = await reader()
    let (gone, next) = (Reader(places), Reader(places))
    await untilWaiting(2)
    gone.call.cancel()
    await #expect(throws: StoreCallEnded.self) { try await gone.outcome() }
    await untilWaiting(1)
    first.door.signal()
    next.door.signal()
    try await next.outcome()
    try places.with {}
  }

  @Test("the wait for a read place is limited by the store's timeout")
  func timeout() async throws {
    let places = ReaderSemaphore(count: 1, timeout: 0)
    let inside = Signal()
    let first = Reader(places) { inside.send() }
    await inside.wait()
    let error = await #expect(throws: DatabaseError.self) { try await Reader(places).outcome() }
    #expect(error?.resultCode == .SQLITE_BUSY)
    first.door.signal()
    try await first.outcome()
    try places.with {}
  }
}
