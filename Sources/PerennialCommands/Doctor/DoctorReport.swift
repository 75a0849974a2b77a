#if !canImport(Darwin)
  import Foundation
  import Texts

  /// All findings of `doctor`.
  struct DoctorReport {
    let diagnoses: [Diagnosis]

    var wrongCount: Int { diagnoses.count { $0.state == .wrong } }

    /// The lines for a person: verdict, subject and finding, with the remedy below.
    var text: String {
      let width = diagnoses.map(\.subject.count).max() ?? 0
      let lines = diagnoses.map { diagnosis in
        let subject = diagnosis.subject.padding(toLength: width, withPad: " ", startingAt: 0)
        let remedy = diagnosis.remedy.map { "\n       to do: \($0.onOneLine)" } ?? ""
        return "\(Self.word(diagnosis.state))  \(subject)  \(diagnosis.words.onOneLine)\(remedy)"
      }
      return (lines + ["", verdict]).joined(separator: "\n") + "\n"
    }

    /// The findings for a program, as a JSON object.
    func json() throws -> String { try JSONText.text(of: Document(self)) }

    private var verdict: String {
      switch wrongCount {
      case 0: "nothing is wrong"
      case 1: "1 thing is wrong"
      default: "\(wrongCount) things are wrong"
      }
    }

    /// The verdict as a word. All words have the same length.
    private static func word(_ state: Diagnosis.State) -> String {
      switch state {
      case .right: "ok   "
      case .note: "note "
      case .wrong: "wrong"
      }
    }

    private struct Document: Encodable {
      let version: String
      let isRight: Bool
      let diagnoses: [Diagnosis]

      init(_ report: DoctorReport) {
        version = PerennialVersion.current
        isRight = report.wrongCount == 0
        diagnoses = report.diagnoses
      }
    }
  }
#endif
