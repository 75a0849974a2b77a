/// What the contenders of a workload have shown in one run.
struct Outcome {
  struct Entry {
    let name: String
    let bounds: [Bound]
    let figures: Figures
  }

  let title: String
  let measure: Measure
  let rounds: Int
  /// One for each contender, in their order; at least one.
  let entries: [Entry]

  /// The figures of the first contender, with which the others are compared.
  var reference: Figures { entries[0].figures }

  func figures(of name: String) -> Figures? { entries.first { $0.name == name }?.figures }

  /// The median of a contender in times of the first one's.
  func ratio(_ entry: Entry) -> Double { entry.figures.median / reference.median }

  /// True when a bound is missed.
  var hasMisses: Bool { entries.contains { entry in verdicts(entry).contains { !$0.isMet } } }

  /// The bounds of a contender with the word whether each is met.
  func verdicts(_ entry: Entry) -> [(bound: Bound, isMet: Bool)] {
    entry.bounds.map { ($0, $0.isMet(by: entry.figures, in: self)) }
  }
}
