/// Work that several contenders do, on the same files.
struct Workload {
  /// What is done, for the reader of a table.
  let title: String
  var measure = Measure.time(.processor)
  /// How often the work is done in one round: figures are told for each time.
  var repetitions = 1
  /// The least number of rounds; `nil` for that of the run.
  var rounds: Int?
  /// Those who do it, in the order of each round. The others are compared with the first.
  var contenders: [Contender]
}
