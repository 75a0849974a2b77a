import Dispatch
import Foundation
import Synchronization

/// Work whose result is awaited for a limited time only.
enum BoundedWork {
  /// Does work on a thread of its own, and waits for its result.
  ///
  /// - Parameter limit: the time to wait. Later the work still continues, but its result is dropped.
  /// - Returns: nil when the time is over.
  static func value<Value: Sendable>(within limit: Duration, _ work: @escaping @Sendable () -> Value) -> Value? {
    let result = Result<Value>()
    let end = DispatchSemaphore(value: 0)
    // Not on a thread of a pool: the work may wait for other tasks, and a pool can have a single thread.
    let thread = Thread {
      let value = work()
      result.value.withLock { $0 = value }
      end.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    let (seconds, attoseconds) = limit.components
    let time = Double(seconds) + Double(attoseconds) * 1e-18
    _ = end.wait(timeout: .now() + time)
    return result.value.withLock { $0 }
  }

  /// Blocks a thread until asynchronous work has ended. The thread must not belong to a pool.
  static func value<Value: Sendable>(of work: @escaping @Sendable () async -> [Value]) -> [Value] {
    let result = Result<[Value]>()
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      let value = await work()
      result.value.withLock { $0 = value }
      end.signal()
    }
    end.wait()
    return result.value.withLock { $0 } ?? []
  }

  private final class Result<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
