import Foundation
import Seeding
import Texts

/// A date that a person typed in quotes into a predicate.
///
/// | text | means |
/// |---|---|
/// | `2024-10-01` | midnight in UTC |
/// | `2024-10-01T13:45:00Z`, `2024-10-01 13:45+02:00` | this moment |
/// | `2024-10-01 local` | midnight in the user's time zone |
/// | `2024-10-01T13:45 local` | a quarter to two in the user's time zone |
///
/// A time without a zone is refused, as in seeds, because it is a different moment on another machine.
enum TypedDate: Equatable {
  case date(Date)
  /// The text is not a date: why, and what to write instead.
  case refused(problem: String, remedy: String)

  /// The word after a date that selects the user's time zone.
  private static let local = " local"

  /// - Parameter zone: the user's time zone, which ` local` selects.
  init(_ text: String, in zone: TimeZone) {
    self = Self.date(text, in: zone).map(TypedDate.date) ?? Self.refusal(of: text)
  }

  private static func date(_ text: String, in zone: TimeZone) -> Date? {
    guard text.hasSuffix(local) else { return ISO8601Date.parse(text) }
    let typed = String(text.dropLast(local.count))
    return wallClock(typed).flatMap { moment(at: $0, in: zone) }
  }

  /// A date and a time without a zone, as if the zone were UTC.
  private static func wallClock(_ text: String) -> Date? {
    let isDay = text.utf8.count == "2024-10-01".utf8.count
    return ISO8601Date.parse(isDay ? text : text + "Z")
  }

  /// The moment at which the clocks of a zone show a time.
  ///
  /// If the clocks show the time twice, the result is the first moment. If they skip it, the offset before the
  /// skip applies: a skipped 02:30 becomes 03:30.
  private static func moment(at wallClock: Date, in zone: TimeZone) -> Date {
    let day: TimeInterval = 86_400
    let offsets = [-day, day].map { TimeInterval(zone.secondsFromGMT(for: wallClock + $0)) }
    let moments = offsets.map { wallClock - $0 }
    let fitting = moments.filter { wallClock - TimeInterval(zone.secondsFromGMT(for: $0)) == $0 }
    return fitting.min() ?? moments[0]
  }

  private static func refusal(of text: String) -> TypedDate {
    let shown = PredicateText.text(text.abbreviated)
    if ISO8601Date.parse(text + "Z") != nil {
      let examples = ["Z", "+01:00", local].map { PredicateText.text(text + $0) }
      return .refused(
        problem: "\(shown) has no time zone",
        remedy:
          "write \(examples[0]) for UTC, \(examples[1]) for another zone, or \(examples[2]) for the zone of this machine"
      )
    }
    return .refused(
      problem: "\(shown) is not a date",
      remedy: """
        write the date as "2024-10-01", "2024-10-01T13:45:00Z" or "2024-10-01T13:45 local", which is in the time zone of \
        this machine
        """
    )
  }
}
