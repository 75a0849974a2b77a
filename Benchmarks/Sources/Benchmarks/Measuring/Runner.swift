/// Runs the contenders of workloads in turn, round by round, so that a change of the machine's speed affects
/// all of them.
struct Runner {
  /// The default number of rounds of a workload.
  let rounds: Int

  func run(_ workload: Workload) throws -> Outcome {
    let rounds = max(rounds, workload.rounds ?? 0)
    var readings = [[Contender.Reading]](repeating: [], count: workload.contenders.count)
    for _ in 0..<rounds {
      for (index, contender) in workload.contenders.enumerated() {
        readings[index].append(try contender.round(workload.measure))
      }
    }
    let entries = zip(workload.contenders, readings).map { contender, readings in
      Outcome.Entry(
        name: contender.name,
        bounds: contender.bounds,
        figures: Figures(readings, repetitions: workload.repetitions)
      )
    }
    return Outcome(title: workload.title, measure: workload.measure, rounds: rounds, entries: entries)
  }
}
