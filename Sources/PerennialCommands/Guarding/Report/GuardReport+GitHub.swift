import Foundation

extension GuardReport {
  /// Annotations of GitHub Actions, which GitHub shows next to the lines of a pull request. See "Workflow commands" in
  /// the documentation of GitHub Actions, https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
  ///
  /// - Parameter workspace: the folder that GitHub's paths are relative to; nil for the current one.
  func annotations(workspace: String?) -> String {
    findings.map { finding in
      var properties = ["file=\(Self.property(Self.path(finding.file, in: workspace)))"]
      if let line = finding.line { properties.append("line=\(line)") }
      properties.append("title=\(Self.property("perennial guard: \(finding.code.rawValue)"))")
      let message = Self.message("\(finding.statement). \(finding.remedy)")
      return "::\(level(finding.severity)) \(properties.joined(separator: ","))::\(message)\n"
    }.joined()
  }

  private func level(_ severity: GuardFinding.Severity) -> String {
    switch severity {
    case .error, .unjudged: "error"
    case .warning: isStrict ? "error" : "warning"
    case .note: "notice"
    }
  }

  private static func path(_ path: String, in workspace: String?) -> String {
    let folder = workspace ?? FileManager.default.currentDirectoryPath
    let whole = URL(fileURLWithPath: path).standardizedFileURL.path
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    return whole.hasPrefix(start) ? String(whole.dropFirst(start.count)) : path
  }

  private static func message(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
