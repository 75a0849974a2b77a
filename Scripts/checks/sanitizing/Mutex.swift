import Foundation

/// Stands in for the mutex of Synchronization, which Thread Sanitizer does not see on Linux: the one there locks in a
/// library that was not built for it.
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
