import Foundation

/// A thread of the system. Foundation's `Thread` does not tell when the system has none to give.
enum SystemThread {
  // Held by the thread that gets it alone, from its creation to the end of its work.
  private final class Work {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread named `CoreData`, which ends with its work.
  ///
  /// - Returns: false when the system has no thread to give; the work is not begun then.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(run))
    var thread: pthread_t = 0
    let code = pthread_create(
      &thread,
      nil,
      { argument in
        guard let argument else { return nil }
        Thread.current.name = "CoreData"
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      },
      work.toOpaque()
    )
    if code == 0 { pthread_detach(thread) } else { work.release() }
    return code == 0
  }
}
