import Foundation
import StoreExploration
import Texts

/// What is wrong in a predicate, and where.
struct GridProblem {
  private let text: String
  private let predicate: String
  /// The part that is wrong, in units of UTF-16; `nil` where the place is not known.
  private let range: Range<Int>?

  /// What the assistant has found before the store was asked.
  init(_ problem: PredicateProblem, in predicate: String) {
    text = VisibleText(line: problem.description, atMost: 2_000).description
    self.predicate = predicate
    range = problem.range
  }

  /// What the store has answered.
  init(_ error: any Error, in predicate: String) {
    text = PageProblem(error).text
    self.predicate = predicate
    range = nil
  }

  var fields: TemplateFields {
    guard let range else { return ["problemText": text, "hasPosition": false] }
    let units = predicate.utf16
    func part(_ range: Range<Int>) -> String {
      let lower = units.index(units.startIndex, offsetBy: min(max(range.lowerBound, 0), units.count))
      let upper = units.index(units.startIndex, offsetBy: min(max(range.upperBound, 0), units.count))
      // A place within a character would be none that a page can mark.
      return VisibleText(line: String(Substring(units[lower..<max(lower, upper)])), atMost: 2_000).description
    }
    let wrong = part(range)
    return [
      "problemText": text,
      "hasPosition": true,
      "position": "\(range.lowerBound)",
      "textBefore": part(0..<range.lowerBound),
      // Where something is missing, the place of it is marked.
      "textWrong": wrong.isEmpty ? " " : wrong,
      "textAfter": part(range.upperBound..<Int(Int32.max)),
    ]
  }
}
