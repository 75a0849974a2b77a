/// The figures of all contenders of a workload in one run.
struct Outcome {
  struct Entry {
    let name: String
    let bounds: [Bound]
    let figures: Figures
  }

  let title: String
  let measure: Measure
  let rounds: Int
  /// The entries of the contenders, in their order; at least one.
  let entries: [Entry]

  /// The figures of the first contender, with which the others are compared.
  var reference: Figures { entries[0].figures }

  func figures(of name: String) -> Figures? { entries.first { $0.name == name }?.figures }

  /// The median of a contender divided by that of the first one.
  func ratio(_ entry: Entry) -> Double { entry.figures.median / reference.median }

  /// True if a bound is missed.
  var hasMisses: Bool { entries.contains { entry in verdicts(entry).contains { !$0.isMet } } }

  /// The bounds of a contender, and whether each is met.
  func verdicts(_ entry: Entry) -> [(bound: Bound, isMet: Bool)] {
    entry.bounds.map { ($0, $0.isMet(by: entry.figures, in: self)) }
  }
}
