/// The sums of what the workers' journals report.
struct Tally {
  private(set) var findings: [String] = []
  private var mutants: [String: Int] = [:]
  private var unmade = 0
  private var taken = 0
  private var refused = 0

  /// - Returns: the mutant and the command from which to continue, if the worker ended too early.
  mutating func add(_ lines: [String], status: Int32) -> (mutant: Int, skipped: Int)? {
    var mutant = ""
    var begun: (mutant: Int, index: Int, name: String)?
    var stopped = ""
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      switch words.first {
      case "mutant":
        mutant = words.dropFirst().joined(separator: " ")
        mutants[words[2], default: 0] += 1
      case "unmade": unmade += 1
      case "begin": begun = (Int(words[1]) ?? 0, Int(words[2]) ?? 0, words.dropFirst(3).joined())
      case "ended":
        if words.dropFirst().first == "0" { taken += 1 } else { refused += 1 }
        begun = nil
      case "again": return (Int(words[1]) ?? 0, Int(words[2]) ?? 0)
      case "stopped:": stopped = line
      case "finding": findings.append("mutant \(mutant): \(line.dropFirst("finding ".count))")
      default: break
      }
    }
    guard let begun else {
      if status != 0 {
        findings.append("mutant \(mutant): the worker ended with \(status) between two commands")
      }
      return nil
    }
    let end = stopped.isEmpty ? "ended by signal or status \(status)" : stopped
    findings.append("mutant \(mutant): \(begun.name): \(end)")
    return (begun.mutant, begun.index + 1)
  }

  var summary: String {
    let kinds = mutants.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    let count = mutants.values.reduce(0, +)
    return """
      \(count) mutants (\(kinds); \(unmade) could not be made), \(taken + refused) commands: \(taken) succeeded, \
      \(refused) refused the file with an error; \(findings.count) findings
      """
  }
}
