import Foundation
import Synchronization
import Texts

/// Dates of one pattern, as `DateFormatter` has them: in UTC unless the pattern has a zone, and of
/// the Gregorian calendar in all years.
///
/// `DateFormatter` takes the 24 of `1.2.24` for the year 24 where the pattern has four digits, and 12024 for 2024; of a
/// local time that a change of the zone's clocks repeats it takes the first. So a date counts when it is written with
/// the same numbers that were read, in the zone that the text names, and when no other date is.
final class DateFormat: Sendable {
  let pattern: String
  private let utc: Mutex<DateFormatter>
  /// The formatters of the time zones that texts have named.
  private let others = Mutex<[String: DateFormatter]>([:])
  private let hasZone: Bool
  /// True if the time zone is the end of the text, so that the zone can be read from there.
  private let endsInZone: Bool
  /// Half of the smallest part of a second that the pattern has: parts are cut off when they are written.
  private let halfFraction: Double

  private static let zones = "zZOvVXx"

  /// A seed may name any number of zones, although few exist.
  private static let mostZones = 1000

  /// The distances, in seconds, at which another date may show the same local time, because clocks
  /// are put back by as much.
  private static let changes: [Double] = [3600, -3600, 1800, -1800, 7200, -7200]

  init(_ pattern: String) {
    self.pattern = pattern
    let fields = Self.fields(of: pattern)
    hasZone = fields.contains { Self.zones.contains($0) }
    endsInZone = fields.last.map { Self.zones.contains($0) } ?? false
    let digits = fields.count { $0 == "S" }
    halfFraction = digits == 0 ? 0 : 0.5 * pow(10, -Double(min(digits, 9)))
    utc = Mutex(Self.formatter(pattern, zone: TimeZone(secondsFromGMT: 0)))
  }

  /// The letters of the pattern that are placeholders.
  static func fields(of pattern: String) -> [Character] {
    var isQuoted = false
    return pattern.filter { character in
      if character == "'" { isQuoted.toggle() }
      return !isQuoted && character.isLetter
    }.map(\.self)
  }

  private static func formatter(_ pattern: String, zone: TimeZone?) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = zone
    formatter.isLenient = false
    // Before all dates of seeds, so that the formatter does not use the Julian calendar.
    formatter.gregorianStartDate = Date(timeIntervalSince1970: -1e14)
    formatter.dateFormat = pattern
    return formatter
  }

  /// Nil for a text that is not of the pattern.
  func date(_ text: String) throws(AttributeConversion.Failure) -> Date? {
    guard text.utf8.count <= Self.longest, let date = utc.withLock({ $0.date(from: text) }) else {
      return nil
    }
    guard hasZone else {
      return spells(text, written: utc.withLock { $0.string(from: rounded(date)) }) ? date : nil
    }
    let (zone, local) = endsInZone ? Self.zone(in: text) : (.other, text)
    switch zone {
    // Names such as PST are of one offset, whatever the season is.
    case .other: return date
    case .fixed(let zone, let words):
      return spells(local, written: written(date, in: zone, words: words)) ? date : nil
    case .region(let zone, let words):
      let same = written(date, in: zone, words: words)
      guard spells(local, written: same) else { return nil }
      if Self.changes.contains(where: { written(date + $0, in: zone, words: words) == same }) {
        throw AttributeConversion.Failure(
          problem: "the clocks in \(zone.identifier) showed \"\(text.abbreviated)\" twice",
          remedy: "give the time in UTC, or with its offset, such as 2024-10-27T02:30:00+01:00"
        )
      }
      return date
    }
  }

  /// No date is longer.
  private static let longest = 200

  private func rounded(_ date: Date) -> Date { date + halfFraction }

  private func written(_ date: Date, in zone: TimeZone, words: String) -> String {
    others.withLock { formatters in
      if formatters.count == Self.mostZones { formatters = [:] }
      let formatter = formatters[words] ?? Self.formatter(pattern, zone: zone)
      formatters[words] = formatter
      return Self.zone(in: formatter.string(from: rounded(date))).local
    }
  }

  /// Returns true when two texts have the same numbers, and years as many digits as the pattern wants.
  private func spells(_ text: String, written: String) -> Bool {
    let (read, expected) = (Self.numbers(in: text), Self.numbers(in: written))
    guard read.count == expected.count else { return false }
    return zip(read, expected).allSatisfy { read, expected in
      read.drop { $0 == "0" } == expected.drop { $0 == "0" } && (expected.count < 4 || read.count >= 4)
    }
  }

  private static func numbers(in text: String) -> [Substring] {
    text.split { !("0"..."9").contains($0) }
  }

  private enum Zone {
    case fixed(TimeZone, String)
    case region(TimeZone, String)
    case other
  }

  /// The time zone at the end of a text, as an offset, `Z`, or a region such as `Europe/Brussels`,
  /// and the text before it.
  private static func zone(in text: String) -> (Zone, local: String) {
    if let match = text.firstMatch(of: /[A-Za-z_]+\/[A-Za-z0-9_+\/-]+$/) {
      let words = String(match.output)
      return (
        TimeZone(identifier: words).map { .region($0, words) } ?? .other,
        String(text[..<match.range.lowerBound])
      )
    }
    if let match = text.firstMatch(of: /([+-])([0-9]{1,2}):?([0-9]{2})?$/),
      let hours = Int(match.output.2), let minutes = Int(match.output.3 ?? "0"), hours < 24, minutes < 60
    {
      let seconds = (hours * 3600 + minutes * 60) * (match.output.1 == "-" ? -1 : 1)
      let zone = TimeZone(secondsFromGMT: seconds).map { Zone.fixed($0, "\(seconds)") } ?? .other
      return (zone, String(text[..<match.range.lowerBound]))
    }
    guard text.hasSuffix("Z") || text.hasSuffix("GMT") || text.hasSuffix("UTC") else { return (.other, text) }
    return (TimeZone(secondsFromGMT: 0).map { .fixed($0, "0") } ?? .other, text)
  }
}
