import CRuntime
import Synchronization

/// The code that uses a context: on the main queue, in a task, or on a thread without a task.
enum ContextUser: Equatable, Sendable {
  case mainQueue
  case task(Int)
  case thread(UInt)

  static var current: ContextUser {
    if ContextQueue.isMainQueueHere { return .mainQueue }
    // A task goes on on other threads, but does one thing after the other.
    if let task = withUnsafeCurrentTask(body: { $0?.hashValue }) { return .task(task) }
    return .thread(currentThread())
  }
}

/// Finds uses of a context outside of its queue that may happen at the same time as other uses.
///
/// The task or thread that made a context may use it without its queue as long as no other code uses it, as tests and
/// small programs do. Any other use outside of the queue is a hazard, and so is one by the maker after other code has
/// used the queue. Apple's framework reports every use outside of the queue, and only where it is asked to.
final class QueueWatch: Sendable {
  private let maker = ContextUser.current
  private let isShared = Atomic(false)

  /// Called where work is given to the queue.
  ///
  /// - Parameter isAwaited: true when the caller does nothing else until the work is done.
  func noteUse(isAwaited: Bool) {
    if isShared.load(ordering: .relaxed) { return }
    if !isAwaited || ContextUser.current != maker { share() }
  }

  /// Called where the context itself does work on its queue at any time.
  func share() { isShared.store(true, ordering: .relaxed) }

  /// True when a use outside of the queue, by the caller, may happen at the same time as another.
  var isHazard: Bool { isShared.load(ordering: .relaxed) || ContextUser.current != maker }
}
