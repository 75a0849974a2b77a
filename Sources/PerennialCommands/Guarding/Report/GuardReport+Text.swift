import Foundation
import Texts

extension GuardReport {
  /// The report for a terminal: a line for each version, two for each finding, and the verdict.
  var text: String {
    var lines = [
      "\(model)\(reference.map { ", compared with \($0)" } ?? ""), current version \(current ?? "unknown")"
    ]
    let width = ways.map(\.version.count).max() ?? 0
    for way in ways {
      let name = way.version + String(repeating: " ", count: width - way.version.count)
      let trial = way.trial.isEmpty ? "" : "; \(way.trial)"
      lines.append("  \(name)  \(way.words)\(trial)".onOneLine)
    }
    for finding in findings {
      let place = finding.line.map { "\(finding.file):\($0)" } ?? finding.file
      lines.append("\(place): \(finding.severity.rawValue): \(finding.statement) [\(finding.code.rawValue)]".onOneLine)
      lines.append("  do: \(finding.remedy)".onOneLine)
    }
    lines.append(sentence)
    return lines.joined(separator: "\n")
  }
}
