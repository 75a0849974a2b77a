/// The steps of a wait for a lock, as plain values: how long to pause, when to time out, and when to log the wait.
struct LockWait {
  /// The time from which a wait is one that a person notices.
  static let noticeable = Duration.seconds(1)
  /// The longest pause: a free lock must not stay unused for longer.
  static let longestPause = Duration.milliseconds(100)

  private var wasTold = false

  /// The pause before the lock is tried again; `nil` when the time is up.
  ///
  /// The first pauses are short, since most locks are held for a moment.
  ///
  /// - Parameters:
  ///   - tries: how often the lock was tried after the first time.
  ///   - waited: the time since the first try.
  ///   - limit: the time after which the wait times out.
  func pause(after tries: Int, waited: Duration, limit: Duration) -> Duration? {
    if waited >= limit { return nil }
    let pause = Duration.milliseconds(1 << min(max(tries, 0), 10))
    return min(pause, Self.longestPause, limit - waited)
  }

  /// True once in a wait, when it has become noticeable.
  mutating func isToBeTold(waited: Duration) -> Bool {
    if wasTold || waited < Self.noticeable { return false }
    wasTold = true
    return true
  }
}
