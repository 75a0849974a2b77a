/// One who does the work of a workload.
struct Contender {
  /// What one round has shown.
  struct Reading {
    /// A figure as the workload measures.
    var value: Double
    /// The peak memory in MB, where the round was a process of its own.
    var peak: Double?
  }

  let name: String
  let bounds: [Bound]
  /// Does the work once.
  let round: (Measure) throws -> Reading

  /// Makes a contender whose work is timed.
  ///
  /// - Parameters:
  ///   - prepare: makes what a round needs, outside of the clock.
  ///   - work: what is timed. What was prepared goes after the clock has stopped.
  init<Input>(
    _ name: String,
    _ bounds: [Bound] = [],
    prepare: @escaping () throws -> Input,
    work: @escaping (Input) throws -> Void
  ) {
    self.init(name, bounds) { measure in
      let input = try prepare()
      return try withExtendedLifetime(input) {
        Reading(value: try measure.stopwatch.time { try work(input) })
      }
    }
  }

  /// Makes a contender whose work is timed, and needs nothing before it.
  init(_ name: String, _ bounds: [Bound] = [], work: @escaping () throws -> Void) {
    self.init(name, bounds) { Reading(value: try $0.stopwatch.time(work)) }
  }

  /// Makes a contender whose rounds give their figures themselves.
  init(_ name: String, _ bounds: [Bound] = [], measuring round: @escaping (Measure) throws -> Reading) {
    self.name = name
    self.bounds = bounds
    self.round = round
  }

  /// The same contender, whose rounds take place elsewhere.
  func moved(_ round: @escaping (Measure) throws -> Reading) -> Contender {
    Contender(name, bounds, measuring: round)
  }
}
