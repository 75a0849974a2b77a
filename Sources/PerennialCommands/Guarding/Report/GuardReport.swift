/// The result of `perennial guard` for a model.
struct GuardReport {
  /// The verdict on a pull request, with its exit status.
  enum Verdict: String {
    case passed, refused, unjudged

    var status: Int32 {
      switch self {
      case .passed: 0
      case .refused: 1
      case .unjudged: 2
      }
    }
  }

  /// The migration path of a store from one version to the current version.
  struct Way {
    let version: String
    /// The steps in words, or `current` or `opens as it is`.
    let words: String
    /// The result of the trial; empty where there was none.
    let trial: String
  }

  /// The path of the model.
  let model: String
  /// The revision or folder that it was compared with; nil for none.
  let reference: String?
  let current: String?
  let ways: [Way]
  /// The findings, the most serious first.
  let findings: [GuardFinding]
  /// True when warnings are refused as well.
  let isStrict: Bool

  init(
    model: String,
    reference: String?,
    current: String?,
    ways: [Way],
    findings: [GuardFinding],
    isStrict: Bool
  ) {
    self.model = model
    self.reference = reference
    self.current = current
    self.ways = ways
    self.isStrict = isStrict
    self.findings = findings.enumerated().sorted {
      $0.element.severity == $1.element.severity
        ? $0.offset < $1.offset : $0.element.severity < $1.element.severity
    }.map(\.element)
  }

  var verdict: Verdict {
    let severities = Set(findings.map(\.severity))
    if severities.contains(.error) || (isStrict && severities.contains(.warning)) { return .refused }
    return severities.contains(.unjudged) ? .unjudged : .passed
  }

  /// The number of findings of each severity as a text: `1 error, 2 warnings`.
  var counts: String {
    let words: [(GuardFinding.Severity, String)] = [
      (.error, "error"), (.unjudged, "not judged"), (.warning, "warning"), (.note, "note"),
    ]
    let parts = words.compactMap { severity, word -> String? in
      let count = findings.count { $0.severity == severity }
      if count == 0 { return nil }
      return "\(count) \(word)\(count == 1 || severity == .unjudged ? "" : "s")"
    }
    return parts.isEmpty ? "nothing found" : parts.joined(separator: ", ")
  }

  /// The verdict as a sentence.
  var sentence: String {
    switch verdict {
    case .passed: "\(model) may be merged: \(counts)"
    case .refused: "\(model) is refused: \(counts)"
    case .unjudged: "\(model) could not be judged: \(counts)"
    }
  }
}
