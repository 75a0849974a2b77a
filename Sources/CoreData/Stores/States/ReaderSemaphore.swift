import Dispatch
import Foundation
import Synchronization

/// Bounds how many threads read at a time, and how long one waits for a place.
final class ReaderSemaphore: Sendable {
  /// A thread that waits.
  private final class Waiter: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    /// Used with the lock of the places alone.
    nonisolated(unsafe) var hasPlace = false
  }

  private struct State {
    var free: Int
    var waiting = FIFOQueue<Waiter>()
  }

  private let state: Mutex<State>
  private let timeout: TimeInterval
  private let busyError: @Sendable (TimeInterval) -> any Error

  /// - Parameters:
  ///   - count: the number of places, at least 1.
  ///   - timeout: the time that a thread waits for one, in seconds; a second at least.
  ///   - busyError: the error of a reader that has waited for that time in vain.
  init(count: Int, timeout: TimeInterval, busyError: @escaping @Sendable (TimeInterval) -> any Error) {
    state = Mutex(State(free: count))
    self.timeout = max(timeout, 1)
    self.busyError = busyError
  }

  /// The number of threads that wait.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs work at one of the places.
  ///
  /// - Throws: an error when none is free until the time is over, or the call ends meanwhile.
  func with<Value>(_ work: () throws -> Value) throws -> Value {
    try enter()
    defer { leave() }
    return try work()
  }

  /// Runs work at one of the places, if one is free.
  ///
  /// - Returns: `nil` if no place is free.
  func ifFree<Value>(_ work: () throws -> Value) rethrows -> Value? {
    let isFree = state.withLock { state in
      if state.free == 0 { return false }
      state.free -= 1
      return true
    }
    if !isFree { return nil }
    defer { leave() }
    return try work()
  }

  private func enter() throws {
    let waiter = state.withLock { state -> Waiter? in
      if state.free > 0 {
        state.free -= 1
        return nil
      }
      let waiter = Waiter()
      state.waiting.append(waiter)
      return waiter
    }
    if let waiter { try wait(waiter) }
  }

  private func wait(_ waiter: Waiter) throws {
    let limit = StoreCall.limit(timeout: timeout).dispatchTime
    let call = StoreCall.current.flatMap { $0.isBounded ? $0 : nil }
    let number = call?.onEnd { _ in waiter.semaphore.signal() }
    defer { if let number { call?.forget(number) } }
    ContextThreads.whileWaiting { _ = waiter.semaphore.wait(timeout: limit) }
    let hasPlace = state.withLock { state in
      if !waiter.hasPlace { state.waiting.removeAll { $0 === waiter } }
      return waiter.hasPlace
    }
    if hasPlace { return }
    try call?.check(waitingFor: "waiting for others who read the store")
    throw busyError(timeout)
  }

  private func leave() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      next?.hasPlace = true
      if next == nil { state.free += 1 }
      return next
    }
    next?.semaphore.signal()
  }
}
