/// Work that several contenders do, on the same files.
struct Workload {
  /// A description of the work, for the reader of a table.
  let title: String
  var measure = Measure.time(.processor)
  /// The number of repetitions in one round. The figures are for one repetition.
  var repetitions = 1
  /// The least number of rounds; `nil` for the run's number.
  var rounds: Int?
  /// The contenders, in their order within each round. The others are compared with the first.
  var contenders: [Contender]
}
