import CRuntime
import Dispatch
import Foundation
import Semaphores
import Synchronization

/// The threads on which contexts and coordinators do the work of their queues.
///
/// There are as many threads as the machine can use, even if more queues have work: a server has hundreds of contexts.
/// A thread that waits for another queue, or for the write lock of a store, is not included in that number while it
/// waits, so that another thread can run. Work may also wait for something that is not known here, and so occupy all
/// threads; then a thread is added each tenth of a second.
package final class ContextThreads: Sendable {
  package static let shared = ContextThreads(width: max(4, 2 * ProcessInfo.processInfo.activeProcessorCount))

  private struct State {
    /// The work that has its queue, in the order in which it got it.
    var ready = FIFOQueue<ContextQueue.Job>()
    /// The jobs of tasks that run here. They come first, because some of them have a write lock,
    /// for which other tasks wait, and some of them end a task whose deadline has passed.
    var jobs = FIFOQueue<UnownedJob>()
    /// The number of jobs that were begun since a queue last got a thread.
    var jobsInRow = 0
    /// The threads that work or look for work.
    var working = 0
    /// The threads that wait for work.
    var idle = 0
    /// All threads, including those that wait inside of their work.
    var all = 0
    /// The threads beyond the width, added because all others seemed to wait.
    var extra = 0
    /// Counts the pieces of work that were begun.
    var begun = 0
    /// True while a later check is scheduled that looks whether work is begun.
    var isWatched = false

    var hasWork: Bool { !ready.isEmpty || !jobs.isEmpty }
    /// The threads beyond all others that run only jobs of tasks.
    var reserve: Int { jobs.isEmpty ? 0 : ContextThreads.reserve }
  }

  /// The number of threads that work at a time.
  let width: Int
  private static let reserve = 2
  private static let mostJobsInRow = 8
  /// With more threads than this, a waiting thread is treated as a working one.
  private static let limit = 1024
  /// The time in which some work is begun, unless all threads wait for something that is not known here.
  private let patience: DispatchTimeInterval

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  /// Starts a thread, unless the system has none to give.
  private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool

  init(
    width: Int,
    patience: DispatchTimeInterval = .milliseconds(100),
    startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = SystemThread.start
  ) {
    self.width = width
    self.patience = patience
    self.startThread = startThread
  }

  /// The number of threads that there are.
  var count: Int { state.withLock { $0.all } }

  /// Has the work of a queue done.
  func add(_ job: ContextQueue.Job) { add { $0.ready.append(job) } }

  private func add(_ append: (inout State) -> Void) {
    let isForThisThread = looksForWorkSoon() && self === Self.shared
    let help = state.withLock { state in
      let isAlone = !state.hasWork
      append(&state)
      // This thread takes it sooner than another one wakes up.
      if isForThisThread, isAlone, state.working <= width + state.extra { return Help.none }
      return call(&state)
    }
    send(help)
  }

  /// Runs the end of this thread's work. If that end makes waiting work ready, this thread takes
  /// one piece of it, because it is about to be free.
  static func finish(_ work: () -> Void) {
    setLooksForWorkSoon(worksForContexts())
    defer { setLooksForWorkSoon(false) }
    work()
  }

  /// Waits inside of work: another thread does what this one would have done meanwhile.
  package static func whileWaiting<Result, Failure: Error>(_ wait: () throws(Failure) -> Result)
    throws(Failure)
    -> Result
  {
    guard worksForContexts() else { return try wait() }
    shared.leave()
    defer { shared.comeBack() }
    return try wait()
  }

  private func leave() {
    let help = state.withLock { state in
      state.working -= 1
      return call(&state)
    }
    send(help)
  }

  private func comeBack() { state.withLock { $0.working += 1 } }

  // MARK: - Calling threads

  /// The thread that is called to begin with the work that is ready.
  private enum Help {
    case none
    case idle
    case new
    /// All threads are at work: a later check looks whether they have finished.
    case later(begun: Int)
  }

  private func call(_ state: inout State) -> Help {
    if !state.hasWork { return .none }
    if state.working < width + state.extra + state.reserve {
      if state.idle > 0 {
        state.idle -= 1
        state.working += 1
        return .idle
      }
      if state.all < Self.limit + state.reserve {
        state.all += 1
        state.working += 1
        return .new
      }
    }
    if state.isWatched { return .none }
    state.isWatched = true
    return .later(begun: state.begun)
  }

  private func send(_ help: Help) {
    switch help {
    case .none: break
    case .idle: wake.signal()
    case .new: start()
    case .later(let begun):
      DispatchQueue.global().asyncAfter(deadline: .now() + patience) { self.look(since: begun) }
    }
  }

  /// Lets one more thread work when none of them has begun anything.
  private func look(since begun: Int) {
    let help = state.withLock { state -> Help in
      state.isWatched = false
      if !state.hasWork { return .none }
      if state.begun == begun { state.extra += 1 }
      return call(&state)
    }
    send(help)
    // As long as work waits, a check is scheduled.
    let next = state.withLock { state -> Help in
      if !state.hasWork || state.isWatched { return .none }
      state.isWatched = true
      return .later(begun: state.begun)
    }
    send(next)
  }

  // MARK: - A thread

  private func start() {
    if startThread({ self.work() }) { return }
    // The work stays in the queue: the threads that there are take it, or another one, a moment later.
    let help = state.withLock { state -> Help in
      state.all -= 1
      state.working -= 1
      if !state.hasWork || state.isWatched { return .none }
      state.isWatched = true
      return .later(begun: state.begun)
    }
    send(help)
  }

  private enum Next {
    case queue(ContextQueue.Job)
    case task(UnownedJob)
    case wait
    case end
  }

  /// The next action of a thread, and the thread to call for the remaining work.
  private typealias Step = (next: Next, help: Help)

  private func work() {
    // The threads of a test's own instance do not wait for other work, and must not change the
    // shared instance's numbers.
    setWorksForContexts(self === Self.shared)
    while true {
      let step = next()
      send(step.help)
      switch step.next {
      case .queue(let job):
        if let next = job.run() { state.withLock { $0.ready.append(next) } }
      case .task(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .wait: wake.wait()
      case .end: return
      }
    }
  }

  private func next() -> Step {
    state.withLock { state in
      if !state.hasWork { state.extra = 0 }
      let most = width + state.extra
      // A thread of the reserve has nothing but these to do.
      let queuesComeFirst = state.jobsInRow >= Self.mostJobsInRow && !state.ready.isEmpty && state.working <= most
      if !queuesComeFirst, state.working <= most + state.reserve, let job = state.jobs.popFirst() {
        state.begun += 1
        state.jobsInRow += 1
        return (.task(job), .none)
      }
      if state.working <= most, let job = state.ready.popFirst() {
        state.begun += 1
        state.jobsInRow = 0
        return (.queue(job), .none)
      }
      state.working -= 1
      let help = call(&state)
      if state.idle < width + Self.reserve {
        state.idle += 1
        return (.wait, help)
      }
      state.all -= 1
      return (.end, help)
    }
  }
}

// A task continues here at once when the value that it awaits arrives, because a task that has got
// the write lock of a store makes others wait until the work of a context has begun.
extension ContextThreads: TaskExecutor {
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    add { $0.jobs.append(job) }
  }
}
