/// A library or program that does the work of a workload.
struct Contender {
  /// The result of one round.
  struct Reading {
    /// The figure, in the workload's unit.
    var value: Double
    /// The peak memory in MB, if the round ran in its own process.
    var peak: Double?
  }

  let name: String
  let bounds: [Bound]
  /// Does the work once.
  let round: (Measure) throws -> Reading

  /// Makes a contender whose work is timed.
  ///
  /// - Parameters:
  ///   - prepare: prepares the input of a round, which is not timed.
  ///   - work: the timed work. Its input is released after the clock has stopped.
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

  /// Makes a contender whose work is timed and needs no input.
  init(_ name: String, _ bounds: [Bound] = [], work: @escaping () throws -> Void) {
    self.init(name, bounds) { Reading(value: try $0.stopwatch.time(work)) }
  }

  /// Makes a contender whose rounds measure their own figures.
  init(_ name: String, _ bounds: [Bound] = [], measuring round: @escaping (Measure) throws -> Reading) {
    self.name = name
    self.bounds = bounds
    self.round = round
  }

  /// The same contender with different rounds, for example in another process.
  func moved(_ round: @escaping (Measure) throws -> Reading) -> Contender {
    Contender(name, bounds, measuring: round)
  }
}
