import Dispatch
import Foundation
import Synchronization

/// Work that nobody waits for longer than for a limited time.
enum BoundedWork {
  /// Does work on a thread of its own.
  ///
  /// - Parameter limit: the time to wait for it; the work goes on afterwards, and its result is lost.
  /// - Returns: nil when the time is over.
  static func value<Value: Sendable>(
    within limit: Duration,
    _ work: @escaping @Sendable () -> Value
  ) -> Value? {
    let result = Result<Value>()
    let end = DispatchSemaphore(value: 0)
    // No thread of a pool: the work may wait for others, and a pool can have one thread only.
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

  /// Waits on a thread, which is none of a pool, for work that suspends.
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
