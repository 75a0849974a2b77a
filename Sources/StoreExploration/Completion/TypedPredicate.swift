package import CoreData
package import Foundation
import Predicates

/// A predicate that a person typed, for the objects of an entity.
///
/// A text that is compared with a date attribute is read as a date, see `TypedDate`.
package enum TypedPredicate {
  /// A predicate that the model can answer. Its variables have no values yet.
  case right(NSPredicate)
  /// The first problem of the text.
  case wrong(PredicateProblem)

  /// - Parameter zone: the user's time zone, for dates that end in ` local`.
  package init(_ text: String, entity: NSEntityDescription, zone: TimeZone = .current) {
    guard text.utf8.count <= PredicateAssistant.longestText else {
      self = .wrong(Self.tooLong)
      return
    }
    do throws(PredicateFormatError) {
      let predicate = try NSPredicate(parsing: text)
      let check = PredicateModelCheck(text, entity: entity, zone: zone)
      if let problem = check.problem {
        self = .wrong(problem)
      } else {
        let isDated = !check.dates.isEmpty
        self = .right(isDated ? try NSPredicate(parsing: Self.replacing(check.dates, in: text)) : predicate)
      }
    } catch {
      self = .wrong(SyntaxProblem(error, in: text).problem)
    }
  }

  /// The first problem of the text; `nil` if the model can answer the predicate.
  package var problem: PredicateProblem? {
    if case .wrong(let problem) = self { problem } else { nil }
  }

  private static var tooLong: PredicateProblem {
    PredicateProblem(
      range: 0..<0,
      message: "The predicate has more than \(PredicateAssistant.longestText) bytes",
      remedy: "write a shorter one",
      isOfSyntax: true
    )
  }

  /// The text, with each date in the format language's own spelling.
  private static func replacing(_ dates: [PredicateModelCheck.ReadDate], in text: String) -> String {
    let bytes = Array(text.utf8)
    var replaced: [UInt8] = []
    var end = 0
    for date in dates.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      replaced += bytes[end..<date.range.lowerBound]
      replaced += Array(NSExpression(forConstantValue: date.date).description.utf8)
      end = date.range.upperBound
    }
    replaced += bytes[end...]
    return String(decoding: replaced, as: UTF8.self)
  }
}
