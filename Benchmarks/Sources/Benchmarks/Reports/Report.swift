import Foundation

/// All figures of a run, in the form of Benchmarks/RESULTS.md.
struct Report {
  /// A workload that is not in the report.
  struct Omission {
    let name: String
    let reason: String
  }

  let machine: Machine
  let rounds: Int
  var outcomes: [Outcome] = []
  var omissions: [Omission] = []
  var series: [SizeSeries] = []

  var markdown: String {
    let sections = [head, verdict, table, omitted, sizes]
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private var head: String {
    """
    # Results

    `Scripts/benchmark` writes this file. [The explanation](README.md) says what is measured, and how.

    The machine: \(machine.parts.joined(separator: "; ")).
    Contenders took turns for at least \(rounds) rounds.
    """
  }

  /// The number of met bounds, and a list of the missed ones.
  private var verdict: String {
    var (count, missed): (Int, [String]) = (0, [])
    for outcome in outcomes {
      for entry in outcome.entries {
        for (bound, isMet) in outcome.verdicts(entry) {
          count += 1
          if !isMet { missed.append("* \(outcome.title): \(entry.name), \(bound.text(outcome.measure))") }
        }
      }
    }
    guard count > 0 else { return "" }
    let met = "\(count - missed.count) of \(count) bounds are met."
    return missed.isEmpty ? met : "\(met) These are missed:\n\n\(missed.joined(separator: "\n"))"
  }

  private var table: String {
    guard !outcomes.isEmpty else { return "" }
    return """
      ## Workloads

      \(OutcomeText.tableHead)
      \(outcomes.map { OutcomeText($0).tableRows }.joined(separator: "\n"))
      """
  }

  private var omitted: String {
    guard !omissions.isEmpty else { return "" }
    return "## Not measured\n\n" + omissions.map { "* \($0.name): \($0.reason)" }.joined(separator: "\n")
  }

  private var sizes: String {
    guard !series.isEmpty else { return "" }
    return """
      ## Sizes

      The median by the processor and the peak memory of a process that does nothing else. The exponent is
      that of growth: with 1, ten times as many objects take ten times as long.

      \(series.map(\.markdown).joined(separator: "\n\n"))
      """
  }
}
