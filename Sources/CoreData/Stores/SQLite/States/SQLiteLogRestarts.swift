/// Decides for how long and how often writers may have to wait for readers, so that the log can restart.
///
/// The wait for short readers grows a little after each failure. After repeated failures there is probably a
/// permanent reader, so the interval until the next attempt grows. It stays short enough that the log does not
/// grow without a bound if the readers were only slow.
struct SQLiteLogRestarts: Sendable {
  /// The earliest time of the next attempt, which may make writers wait.
  private(set) var next = ContinuousClock.now
  /// The number of tries in vain that count still.
  private var vainCount = 0

  /// The time to wait for readers: one second or two. Writers may have a deadline of a few seconds.
  var patience: Duration { .seconds(1 << min(vainCount, Self.growth)) }

  /// Records an attempt. The next one follows after at least ten times its duration.
  ///
  /// - Parameter isDone: false when it was in vain.
  mutating func record(isDone: Bool, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
    // A wait that was long enough stays, because readers of this duration return.
    vainCount = isDone ? min(vainCount, Self.growth) : min(vainCount + 1, Self.mostVain)
    next = end.advanced(by: start.duration(to: end) * (10 << max(0, vainCount - Self.growth)))
  }

  /// The number of times that the patience is doubled.
  private static let growth = 1
  /// Beyond it no more time goes by: 80 seconds after two seconds in vain.
  private static let mostVain = 3
}
