import Foundation

extension GuardReport {
  /// The report for programs. Keys may be added, but are never renamed or removed.
  func json() throws -> String { try JSONText.text(of: Encoded(self)) }

  private struct Encoded: Encodable {
    struct Finding: Encodable {
      let severity: String
      let code: String
      let file: String
      let line: Int?
      let subject: String
      let problem: String
      let remedy: String
    }

    struct Version: Encodable {
      let name: String
      let way: String
      let trial: String?
    }

    let model: String
    let against: String?
    let currentVersion: String?
    let verdict: String
    let status: Int32
    let findings: [Finding]
    let versions: [Version]

    init(_ report: GuardReport) {
      model = report.model
      against = report.reference
      currentVersion = report.current
      verdict = report.verdict.rawValue
      status = report.verdict.status
      findings = report.findings.map {
        Finding(
          severity: $0.severity.rawValue,
          code: $0.code.rawValue,
          file: $0.file,
          line: $0.line,
          subject: $0.subject,
          problem: $0.problem,
          remedy: $0.remedy
        )
      }
      versions = report.ways.map { Version(name: $0.version, way: $0.words, trial: $0.trial.isEmpty ? nil : $0.trial) }
    }
  }
}
