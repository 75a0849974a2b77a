import Foundation
import Texts

/// A date that is written as its distance from the time of the run: `-3d`, `+1y-2M`, `0d`.
///
/// The units are those of `DateFormatter`'s patterns and of most tools: `s`, `m` and `h` for seconds, minutes and
/// hours, `d` and `w` for days and weeks of 24 hours a day, `M` and `y` for months and years of the Gregorian calendar
/// in UTC. Adding months keeps the day if the new month has it, and otherwise gives the last day of that month: a month
/// after 31 January is the last day of February.
struct RelativeDate {
  private struct Term {
    let count: Int
    let unit: Character
  }

  private let terms: [Term]

  private static let seconds: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

  /// A hundred million days are more than all years that there can be.
  private static let mostDigits = 12

  init(_ words: String) throws(AttributeConversion.Failure) {
    var terms: [Term] = []
    var rest = words[...]
    while let match = rest.prefixMatch(of: /([+-]?)([0-9]+)([smhdwMy])/) {
      guard match.output.2.utf8.count <= Self.mostDigits, let count = Int(match.output.2),
        terms.isEmpty || !match.output.1.isEmpty
      else { break }
      let unit = match.output.3.first ?? "s"
      terms.append(Term(count: match.output.1 == "-" ? -count : count, unit: unit))
      rest = rest[match.range.upperBound...]
    }
    guard rest.isEmpty, !terms.isEmpty else {
      throw AttributeConversion.Failure(
        problem: "\"\(words.abbreviated)\" is not a distance from now",
        remedy:
          "give a number with one of the units s, m, h, d, w, M and y, such as -3d, or several, each with its sign, "
          + "such as +1y-2M"
      )
    }
    self.terms = terms
  }

  /// Adds one term after the other.
  func date(from now: Date) throws(AttributeConversion.Failure) -> Date {
    var date = now
    for term in terms {
      if let seconds = Self.seconds[term.unit] {
        date += Double(term.count) * Double(seconds)
      } else {
        let months =
          term.unit == "y" ? term.count.multipliedReportingOverflow(by: 12).partialValue : term.count
        date = try Self.checked(date, months: months)
      }
      _ = try AttributeConversion.checked(date)
    }
    return date
  }

  private static func checked(_ date: Date, months: Int) throws(AttributeConversion.Failure) -> Date {
    guard let moved = ISO8601Date.adding(months: months, to: date) else {
      throw AttributeConversion.Failure(
        problem: "\(months) months from \(ISO8601Date.words(date)) is not in \(ISO8601Date.rangeWords)",
        remedy: "give a smaller distance"
      )
    }
    return moved
  }
}
