/// How long those who write may be kept waiting for those who read, so that the log can begin anew, and how
/// often.
///
/// Readers that come and go are waited for with some more patience. Where that is in vain again and again,
/// somebody reads without an end, and more time goes by before the next try; but not so much that the log grows
/// without a bound where they were only slow.
struct SQLiteLogRestarts: Sendable {
  /// The time before which nobody is kept waiting once more.
  private(set) var next = ContinuousClock.now
  /// The number of tries in vain that count still.
  private var vainCount = 0

  /// The time for which readers are waited for: one second or two. Who writes may have a deadline of a few.
  var patience: Duration { .seconds(1 << min(vainCount, Self.growth)) }

  /// Records a try, after which ten times as long goes by at least.
  ///
  /// - Parameter isDone: false when it was in vain.
  mutating func record(isDone: Bool, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
    // What was long enough is so again: readers as long as these come back.
    vainCount = isDone ? min(vainCount, Self.growth) : min(vainCount + 1, Self.mostVain)
    next = end.advanced(by: start.duration(to: end) * (10 << max(0, vainCount - Self.growth)))
  }

  /// The number of times that the patience is doubled.
  private static let growth = 1
  /// Beyond it no more time goes by: 80 seconds after two seconds in vain.
  private static let mostVain = 3
}
