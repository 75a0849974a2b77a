package import Foundation
import Seeding

/// Formats dates for pages. All pages have the same form of a date.
package enum ShownDate {
  /// Returns a date with its fraction of a second, such as `2024-03-17 13:45:39Z`, or `2024-03-17 14:45:39+01:00` in a
  /// time zone other than UTC. Predicates and forms read both texts as exactly this date.
  ///
  /// - Parameter zone: the time zone; `nil` for UTC, which the values of objects have, because predicates, filters and
  ///   counts by day go by UTC.
  package static func text(_ date: Date, in zone: TimeZone? = nil) -> String {
    // A date outside of the years that ISO 8601 covers has no time zone offset.
    guard let exact = ISO8601Date.text(date) else { return ISO8601Date.words(date) }
    let inUTC = exact.replacing("T", with: " ")
    // An offset with seconds, which zones had before railways, cannot be written.
    guard let offset = zone?.secondsFromGMT(for: date), offset != 0, offset % 60 == 0 else { return inUTC }
    let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
    let moved = Date(timeIntervalSinceReferenceDate: whole + Double(offset))
    guard let local = ISO8601Date.text(moved) else { return inUTC }
    let fraction = exact.drop { $0 != "." }.dropLast()
    return "\(local.dropLast().replacing("T", with: " "))\(fraction)\(words(offset: offset))"
  }

  private static func words(offset: Int) -> String {
    let minutes = abs(offset) / 60
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return (offset < 0 ? "-" : "+") + digits(minutes / 60) + ":" + digits(minutes % 60)
  }
}
