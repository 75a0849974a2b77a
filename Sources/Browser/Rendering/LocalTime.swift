import Foundation
import Seeding
import StoreExploration

/// Moments in the time zone of the server, which is that of the person who started it.
struct LocalTime: Sendable {
  let zone: TimeZone

  init(_ zone: TimeZone = .current) { self.zone = zone }

  /// A moment to the second, such as `2024-03-17 14:45:39 +01:00`.
  func words(_ date: Date) -> String {
    // What is in no year that people know has no zone either.
    guard ISO8601Date.text(date) != nil else { return ISO8601Date.words(date) }
    let offset = zone.secondsFromGMT(for: date)
    let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
    guard let text = ISO8601Date.text(Date(timeIntervalSinceReferenceDate: whole + Double(offset))) else {
      return ISO8601Date.words(date)
    }
    return text.replacing("T", with: " ").replacing("Z", with: " ") + Self.words(offset: offset)
  }

  /// A moment as the attribute `datetime` of an element has it, with all of its digits; `nil` for one that is too far
  /// away.
  func exact(_ date: Date) -> String? { ISO8601Date.text(date) }

  /// Reads what a field of a form has: a day, or a day and a time of this zone, such as `2024-03-17T14:45`; a text with
  /// a zone of its own means just that.
  func date(_ text: String) -> Date? {
    if text.utf8.count == 10 {
      return ISO8601Date.parse(text).map(inZone)
    }
    return ISO8601Date.parse(text) ?? ISO8601Date.parse(text + "Z").map(inZone)
  }

  /// The moment at which this zone's clocks show what those in UTC show at another.
  private func inZone(_ date: Date) -> Date {
    let guess = date.addingTimeInterval(-Double(zone.secondsFromGMT(for: date)))
    return date.addingTimeInterval(-Double(zone.secondsFromGMT(for: guess)))
  }

  private static func words(offset: Int) -> String {
    let minutes = abs(offset) / 60
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return (offset < 0 ? "-" : "+") + digits(minutes / 60) + ":" + digits(minutes % 60)
  }
}
