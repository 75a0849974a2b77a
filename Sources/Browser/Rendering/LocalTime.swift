import Foundation
import Seeding
import StoreExploration

/// Dates in the time zone of the server, which is the zone of the person who started it.
struct LocalTime: Sendable {
  let zone: TimeZone

  init(_ zone: TimeZone = .current) { self.zone = zone }

  /// Returns a date to the second, such as `2024-03-17 14:45:39+01:00`.
  func words(_ date: Date) -> String {
    let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
    return ShownDate.text(Date(timeIntervalSinceReferenceDate: whole), in: zone)
  }

  /// Returns a date to the second as a `datetime-local` field needs it, such as `2024-03-17T14:45:39`; `nil` for a
  /// date outside of the years that ISO 8601 covers.
  func field(_ date: Date) -> String? {
    let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
    let local = Date(timeIntervalSinceReferenceDate: whole + Double(zone.secondsFromGMT(for: date)))
    guard ISO8601Date.text(date) != nil, let text = ISO8601Date.text(local) else { return nil }
    return String(text.prefix { $0 != "Z" })
  }

  /// Returns a date with all of its digits, for the attribute `datetime` of an element; `nil` for a date outside of
  /// the years that ISO 8601 covers.
  func exact(_ date: Date) -> String? { ISO8601Date.text(date) }

  /// Parses the value of a form's field: a day, or a day and a time, such as `2024-03-17T14:45`. The value is in
  /// this time zone, unless it contains a zone of its own.
  func date(_ text: String) -> Date? {
    if text.utf8.count == 10 { return ISO8601Date.parse(text).map(inZone) }
    return ISO8601Date.parse(text) ?? ISO8601Date.parse(text + "Z").map(inZone)
  }

  /// Returns the date at which this zone's clocks show the time that the given date has in UTC.
  private func inZone(_ date: Date) -> Date {
    let guess = date.addingTimeInterval(-Double(zone.secondsFromGMT(for: date)))
    return date.addingTimeInterval(-Double(zone.secondsFromGMT(for: guess)))
  }
}
