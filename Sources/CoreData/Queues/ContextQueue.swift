import Dispatch
import Foundation

/// The queue on which a context or a coordinator is used: the main queue, or one of its own.
///
/// Work that waits runs at once where the queue is already held, however deep the calls are nested.
// Immutable; the thread that holds it is behind a lock.
final class ContextQueue: @unchecked Sendable {
  private static let mainKey = DispatchSpecificKey<Bool>()
  private static let markMainQueue: Void = DispatchQueue.main.setSpecific(key: mainKey, value: true)

  private let queue: DispatchQueue
  private let isMain: Bool
  /// The thread that holds a private queue. Only that thread can find itself in here.
  private let holder = HolderThread()

  init(isMain: Bool, label: String) {
    self.isMain = isMain
    queue = isMain ? .main : DispatchQueue(label: label)
    if isMain { Self.markMainQueue }
  }

  var isHeldHere: Bool {
    isMain
      ? Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mainKey) == true : holder.isCurrentThread
  }

  func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isHeldHere { return try body() }
    var result: Swift.Result<Result, Failure>?
    queue.sync {
      self.holder.hold()
      defer { self.holder.release() }
      do throws(Failure) {
        result = .success(try body())
      } catch {
        result = .failure(error)
      }
    }
    guard let result else { fatalError("a context's queue did not run its work.") }
    return try result.get()
  }

  func async(_ body: @escaping @Sendable () -> Void) {
    queue.async {
      self.holder.hold()
      defer { self.holder.release() }
      body()
    }
  }

  /// Runs work in its turn, and suspends the caller until it is done.
  nonisolated(nonsending) func run<Result, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let outcome: UncheckedSendable<Swift.Result<Result, Failure>> = await withCheckedContinuation {
      continuation in
      async { continuation.resume(returning: UncheckedSendable(Swift.Result(catching: body))) }
    }
    return try outcome.value.get()
  }
}

/// The one thread that is inside a queue, if any.
// The thread is behind the lock.
private final class HolderThread: @unchecked Sendable {
  private let lock = NSLock()
  private var thread: ObjectIdentifier?

  private var current: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  var isCurrentThread: Bool { lock.withLock { thread == current } }
  func hold() { lock.withLock { thread = current } }
  func release() { lock.withLock { thread = nil } }
}

/// Carries a value to another thread where the queue sees to it that it is used by one at a time.
struct UncheckedSendable<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// The switch by which every use of a context and its objects outside of its queue stops the
/// program.
///
/// Switched on for the whole program by `-com.apple.CoreData.ConcurrencyDebug 1` in its arguments,
/// as on Apple's platforms, or by `COREDATA_CONCURRENCY_DEBUG=1` in its environment.
enum ConcurrencyDebug {
  static let isOn = isAskedFor(
    by: ProcessInfo.processInfo.arguments,
    or: ProcessInfo.processInfo.environment["COREDATA_CONCURRENCY_DEBUG"]
  )

  static func isAskedFor(by arguments: [String], or variable: String?) -> Bool {
    if let variable { return isYes(variable) }
    guard let index = arguments.firstIndex(of: "-com.apple.CoreData.ConcurrencyDebug") else { return false }
    return index + 1 < arguments.count && isYes(arguments[index + 1])
  }

  private static func isYes(_ text: String) -> Bool {
    ["1", "2", "3", "yes", "true"].contains(text.lowercased())
  }
}
