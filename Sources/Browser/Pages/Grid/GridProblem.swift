import Foundation
import StoreExploration
import Texts

/// An error in a predicate, and its position.
struct GridProblem {
  private let text: String
  private let predicate: String
  /// The range of the error, in UTF-16 units; `nil` where the position is not known.
  private let range: Range<Int>?

  /// Makes a problem from an error that the assistant found before the store was read.
  init(_ problem: PredicateProblem, in predicate: String) {
    text = VisibleText(line: problem.description, atMost: 2_000).description
    self.predicate = predicate
    range = problem.range
  }

  /// Makes a problem from the store's error.
  init(_ error: any Error, in predicate: String) {
    text = PageProblem(error).text
    self.predicate = predicate
    range = nil
  }

  /// Returns the template fields of the problem.
  func fields(in frame: PageFrame) -> GridProblemFields {
    let text = frame.sentence(text)
    guard let range else { return GridProblemFields(problemText: text) }
    let units = predicate.utf16
    func part(_ range: Range<Int>) -> String {
      let lower = units.index(units.startIndex, offsetBy: min(max(range.lowerBound, 0), units.count))
      let upper = units.index(units.startIndex, offsetBy: min(max(range.upperBound, 0), units.count))
      // A position inside a character is rounded to its boundary, because a page cannot mark a part of a character.
      return VisibleText(line: String(Substring(units[lower..<max(lower, upper)])), atMost: 2_000).description
    }
    let wrong = part(range)
    return GridProblemFields(
      problemText: text,
      position: "\(range.lowerBound)",
      textBefore: part(0..<range.lowerBound),
      // Where the predicate lacks something, the page marks the position.
      textWrong: wrong.isEmpty ? " " : wrong,
      textAfter: part(range.upperBound..<Int(Int32.max))
    )
  }
}
