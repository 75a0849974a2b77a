package import Foundation

/// Reads only dates in the forms `2024-03-17`, `2024-03-17T13:45:39Z` and `2024-03-17T13:45:39.5+01:00`.
///
/// Foundation's parser reads 30 February as 2 March and ignores text after a date. A time without a zone is refused,
/// because a seed has to mean the same moment on every machine. A date alone is its midnight in UTC.
///
/// Years have four digits, so that a seed's dates are in the years 0 to 9999 of the proleptic Gregorian calendar. Dates
/// outside this range are refused in every spelling, because a dump could not express them.
package enum ISO8601Date {
  /// The dates that can be expressed, in seconds since 2001.
  static let range = seconds(0)..<seconds(10_000)

  /// With more digits of a second than any moment needs.
  private static let longest = 100

  static let rangeWords = "the years 0 to 9999"

  private static func seconds(_ year: Int) -> Double {
    Double(daysSince1970(year, month: 1, day: 1)) * 86_400 - Date.timeIntervalBetween1970AndReferenceDate
  }

  static func has(_ date: Date) -> Bool { range.contains(date.timeIntervalSinceReferenceDate) }

  /// The text that is read as exactly this date, with as many digits of a second as that takes; nil
  /// for a date that no seed has.
  package static func text(_ date: Date) -> String? {
    guard has(date) else { return nil }
    let seconds = date.timeIntervalSinceReferenceDate
    let whole = seconds.rounded(.down)
    let since1970 = Int64(whole + Date.timeIntervalBetween1970AndReferenceDate)
    let days = Int((Double(since1970) / 86_400).rounded(.down))
    let rest = Int(since1970) - days * 86_400
    let day = civil(days)
    let text =
      "\(digits(day.year, count: 4))-\(digits(day.month, count: 2))-\(digits(day.day, count: 2))"
      + "T\(digits(rest / 3600, count: 2)):\(digits(rest / 60 % 60, count: 2)):\(digits(rest % 60, count: 2))"
    if seconds == whole { return text + "Z" }
    for count in 1...17 {
      let fraction = String(format: "%.\(count)f", seconds - whole)
      if fraction.hasPrefix("0"), let read = Double(fraction), whole + read == seconds {
        return "\(text)\(fraction.dropFirst())Z"
      }
    }
    return text + "Z"
  }

  /// The date a number of months later or earlier, at the same time of the day; on the last day of
  /// the month if the month does not have that day. Nil for dates outside of the range of seeds.
  static func adding(months: Int, to date: Date) -> Date? {
    guard has(date), abs(months) < 12 * 20_000 else { return nil }
    let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
    let fraction = date.timeIntervalSinceReferenceDate - whole
    let since1970 = Int(whole + Date.timeIntervalBetween1970AndReferenceDate)
    let days = Int((Double(since1970) / 86_400).rounded(.down))
    let day = civil(days)
    let month = day.year * 12 + day.month - 1 + months
    let year = Int((Double(month) / 12).rounded(.down))
    guard (0...9999).contains(year) else { return nil }
    let monthOfYear = month - year * 12 + 1
    let moved = daysSince1970(year, month: monthOfYear, day: min(day.day, Self.days(of: monthOfYear, in: year)))
    let seconds = moved * 86_400 + since1970 - days * 86_400
    return Date(
      timeIntervalSinceReferenceDate: Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate
        + fraction
    )
  }

  /// The words by which people are shown a date, whichever it is: Foundation's formats stop the program at some.
  package static func words(_ date: Date) -> String {
    text(date) ?? "\(date.timeIntervalSinceReferenceDate) s after 2001-01-01"
  }

  private static func digits(_ number: Int, count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  /// The inverse of `daysSince1970`.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * part + 2) / 5 + 1)
  }

  package static func parse(_ text: String) -> Date? {
    guard text.utf8.count <= longest else { return nil }
    var reader = Reader(digits: Array(text.utf8))
    guard
      let year = reader.number(4), reader.consume("-"),
      let month = reader.number(2), (1...12).contains(month), reader.consume("-"),
      let day = reader.number(2), (1...days(of: month, in: year)).contains(day)
    else { return nil }
    let midnight = Double(daysSince1970(year, month: month, day: day)) * 86_400
    if reader.isAtEnd { return Date(timeIntervalSince1970: midnight) }
    guard
      reader.consume("T") || reader.consume(" "),
      let seconds = reader.timeOfDay(),
      let fraction = reader.fraction(),
      let zone = reader.zone(),
      reader.isAtEnd
    else { return nil }
    // From 2001 on, as dates are kept: a fraction loses a digit when it is added to the seconds since 1970.
    let whole = midnight + Double(seconds - zone) - Date.timeIntervalBetween1970AndReferenceDate
    return Date(timeIntervalSinceReferenceDate: whole + fraction)
  }

  private static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days of the proleptic Gregorian calendar, counted in years that begin in March so that the leap day is last.
  private static func daysSince1970(_ year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private struct Reader {
    var digits: [UInt8]
    var offset = 0

    init(digits: [UInt8]) { self.digits = digits }

    var isAtEnd: Bool { offset == digits.count }

    mutating func consume(_ character: Unicode.Scalar) -> Bool {
      guard !isAtEnd, digits[offset] == UInt8(ascii: character) else { return false }
      offset += 1
      return true
    }

    mutating func number(_ length: Int) -> Int? {
      guard offset + length <= digits.count else { return nil }
      var number = 0
      for byte in digits[offset..<offset + length] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
      }
      offset += length
      return number
    }

    mutating func timeOfDay() -> Int? {
      guard
        let hour = number(2), hour < 24, consume(":"),
        let minute = number(2), minute < 60
      else { return nil }
      guard consume(":") else { return hour * 3600 + minute * 60 }
      guard let second = number(2), second < 60 else { return nil }
      return hour * 3600 + minute * 60 + second
    }

    mutating func fraction() -> Double? {
      guard consume(".") else { return 0 }
      var text = "0."
      while let digit = number(1) { text += "\(digit)" }
      return text.count > 2 ? Double(text) : nil
    }

    mutating func zone() -> Int? {
      if consume("Z") { return 0 }
      let sign: Int
      if consume("+") {
        sign = 1
      } else if consume("-") {
        sign = -1
      } else {
        return nil
      }
      guard let hours = number(2), hours < 24 else { return nil }
      if isAtEnd { return sign * hours * 3600 }
      _ = consume(":")
      guard let minutes = number(2), minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
