import Foundation

/// The way in which a seed writes dates, declared in its header by `$dates` or in an attribute's
/// user info by `seed.dates`.
enum DateStrategy: Sendable {
  /// Seconds since 1970 as a number or a string of nine or ten digits, or ISO 8601.
  case byLook
  case iso8601
  case secondsSince1970
  case millisecondsSince1970
  case secondsSince2001
  case format(DateFormat)

  static let words = ["byLook", "iso8601", "secondsSince1970", "millisecondsSince1970", "secondsSince2001"]

  /// Nil for a word that is neither the name of a strategy nor a format such as `dd.MM.yyyy` with a year, a month and a
  /// day. `dd.mm.yyyy` has minutes instead of the month, and every date would be in January.
  init?(_ word: String) {
    switch word {
    case "byLook": self = .byLook
    case "iso8601": self = .iso8601
    case "secondsSince1970": self = .secondsSince1970
    case "millisecondsSince1970": self = .millisecondsSince1970
    case "secondsSince2001": self = .secondsSince2001
    default:
      let fields = Set(DateFormat.fields(of: word))
      let hasDay = fields.contains("D") || fields.contains("d") && !fields.isDisjoint(with: ["M", "L"])
      guard fields.contains("y"), hasDay else { return nil }
      self = .format(DateFormat(word))
    }
  }

  /// The form of date that an error asks for.
  var expected: String {
    switch self {
    case .byLook: "seconds since 1970, or a date such as 2024-03-17 or 2024-03-17T13:45:39Z"
    case .iso8601: "a date such as 2024-03-17 or 2024-03-17T13:45:39Z"
    case .secondsSince1970: "seconds since 1970"
    case .millisecondsSince1970: "milliseconds since 1970"
    case .secondsSince2001: "seconds since 1 January 2001 in UTC"
    case .format(let format): "a date of the format \(format.pattern)"
    }
  }

  /// Nil if the value is not written in this format. Formats with a date type of their own return it unchanged.
  ///
  /// - Throws: An `AttributeConversion.Failure` for a time that does not name exactly one moment.
  func date(_ value: SeedValue) throws(AttributeConversion.Failure) -> Date? {
    if case .date(let date) = value { return date }
    switch self {
    case .byLook:
      if let seconds = Self.number(value) { return Date(timeIntervalSince1970: seconds) }
      guard case .string(let text) = value else { return nil }
      return ISO8601Date.parse(text) ?? Self.timestamp(text)
    case .iso8601:
      guard case .string(let text) = value else { return nil }
      return ISO8601Date.parse(text)
    case .secondsSince1970: return Self.number(value).map { Date(timeIntervalSince1970: $0) }
    case .millisecondsSince1970: return Self.number(value).map { Date(timeIntervalSince1970: $0 / 1000) }
    case .secondsSince2001: return Self.number(value).map { Date(timeIntervalSinceReferenceDate: $0) }
    case .format(let format):
      guard case .string(let text) = value else { return nil }
      return try format.date(text)
    }
  }

  /// Returns true for a text that would be an ISO 8601 date if a time zone followed it.
  func lacksZone(_ value: SeedValue) -> Bool {
    switch self {
    case .byLook, .iso8601: break
    default: return false
    }
    guard case .string(let text) = value else { return false }
    return ISO8601Date.parse(text + "Z") != nil
  }

  /// The failure of a date without a time zone, which would be another moment on each machine.
  static func withoutZone(_ value: SeedValue) -> AttributeConversion.Failure {
    AttributeConversion.Failure(
      problem: "\(value.kind) has no time zone, and is another moment on each machine",
      remedy: "add the zone, such as Z for UTC or +01:00"
    )
  }

  /// The remedy for a date outside of the range of seeds, if it looks like a date of another strategy.
  func remedy(for date: Date) -> String? {
    guard !ISO8601Date.has(date) else { return nil }
    switch self {
    case .byLook, .secondsSince1970:
      guard ISO8601Date.has(Date(timeIntervalSince1970: date.timeIntervalSince1970 / 1000)) else { return nil }
      return "give seconds, or declare \"\(SeedHeader.datesKey)\": \"millisecondsSince1970\" in the header"
    default: return nil
    }
  }

  private static func number(_ value: SeedValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .number(let digits): Double(digits).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// Seconds since 1970 in a string, as some servers write them. Fewer digits would be a year or a day.
  private static func timestamp(_ text: String) -> Date? {
    guard (9...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Double(text).map { Date(timeIntervalSince1970: $0) }
  }
}
