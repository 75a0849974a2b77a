import Foundation

/// The figures of a workload as text.
struct OutcomeText {
  private let outcome: Outcome

  init(_ outcome: Outcome) { self.outcome = outcome }

  static let tableHead = """
    | workload | who | median | quartiles | ratio | bound | peak memory | measured |
    |---|---|---|---|---|---|---|---|
    """

  /// The table rows, for the header above.
  var tableRows: String {
    outcome.entries.map { entry in
      let cells = [
        outcome.title, entry.name, median(entry), quartiles(entry), ratio(entry), bounds(entry), peak(entry),
        outcome.measure.words,
      ]
      let escaped = cells.map { $0.replacing("|", with: "\\|") }
      return "| \(escaped.joined(separator: " | ")) |"
    }
    .joined(separator: "\n")
  }

  /// The lines for a terminal.
  var plain: String {
    let lines = outcome.entries.map { entry in
      let name = entry.name.padding(
        toLength: max(34, entry.name.count),
        withPad: " ",
        startingAt: 0
      )
      let peak = peak(entry)
      let parts = [
        median(entry), "(\(quartiles(entry)))", "ratio \(ratio(entry))",
        entry.bounds.isEmpty ? "" : "bound \(bounds(entry))", peak.isEmpty ? "" : "peak \(peak)",
      ]
      return "  \(name)  " + parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
    return "\(outcome.title), \(outcome.rounds) rounds, \(outcome.measure.words)\n"
      + lines.joined(separator: "\n")
  }

  private func median(_ entry: Outcome.Entry) -> String { outcome.measure.text(entry.figures.median) }

  private func quartiles(_ entry: Outcome.Entry) -> String {
    let figures = entry.figures
    return "\(outcome.measure.text(figures.lowerQuartile)) to \(outcome.measure.text(figures.upperQuartile))"
  }

  private func ratio(_ entry: Outcome.Entry) -> String { String(format: "%.2f", outcome.ratio(entry)) }

  private func bounds(_ entry: Outcome.Entry) -> String {
    outcome.verdicts(entry).map { bound, isMet in
      bound.text(outcome.measure) + (isMet ? "" : " **missed**")
    }
    .joined(separator: "; ")
  }

  private func peak(_ entry: Outcome.Entry) -> String {
    entry.figures.peak.map { String(format: "%.0f MB", $0) } ?? ""
  }
}
