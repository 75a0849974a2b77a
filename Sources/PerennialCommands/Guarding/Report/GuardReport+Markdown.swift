import Foundation

extension GuardReport {
  /// The largest number of findings in a comment: GitHub allows 65,536 characters.
  private static let most = 60

  /// The report as Markdown, for a comment or the summary of a job.
  var markdown: String {
    var lines = ["### \(Self.escaped(sentence))", ""]
    if let reference { lines += ["Compared with \(Self.code(reference)).", ""] }
    if !findings.isEmpty {
      lines += ["| | where | what | what to do |", "|---|---|---|---|"]
      for finding in findings.prefix(Self.most) {
        let place = finding.line.map { "\(finding.file):\($0)" } ?? finding.file
        let cells = [
          finding.severity.rawValue, Self.code(place), Self.escaped(finding.statement),
          Self.escaped(finding.remedy),
        ]
        lines.append("| \(cells.joined(separator: " | ")) |")
      }
      if findings.count > Self.most { lines += ["", "\(findings.count - Self.most) more are in the log of the job."] }
      lines.append("")
    }
    if !ways.isEmpty {
      lines += ["| version | way of its stores | trial |", "|---|---|---|"]
      for way in ways {
        lines.append("| \([way.version, way.words, way.trial].map(Self.escaped).joined(separator: " | ")) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A text without characters that Markdown or HTML interprets, and without mentions such as `@name`.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.prefix(600) {
      switch character {
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#": result += "\\\(character)"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "@": result += "@\u{200B}"
      case _ where character.isNewline: result += " "
      default: result.append(character)
      }
    }
    return result
  }

  private static func code(_ text: String) -> String { "<code>\(escaped(text))</code>" }
}
