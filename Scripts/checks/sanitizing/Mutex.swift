import Foundation

/// Replaces the mutex of Synchronization. Thread Sanitizer does not support that mutex on Linux, because it
/// locks in a library that is not instrumented.
struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let lock = NSLock()
  private let value: UnsafeMutablePointer<Value>

  init(_ value: consuming sending Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    nonisolated(unsafe) let place = value
    return try body(&place.pointee)
  }
}
