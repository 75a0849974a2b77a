import Foundation

/// Reads `2018-02-07`, `2018-02-07T13:45:39Z`, `2018-02-07T13:45:39.5+01:00` and nothing else.
///
/// Foundation's parser takes 30 February for 2 March and ignores what follows a date. A time without a zone is
/// refused: a seed means the same moment on every machine. A date alone is its midnight in UTC.
enum ISO8601Date {
  static func parse(_ text: String) -> Date? {
    var reader = Reader(digits: Array(text.utf8))
    guard
      let year = reader.number(4), reader.take("-"),
      let month = reader.number(2), (1...12).contains(month), reader.take("-"),
      let day = reader.number(2), (1...days(of: month, in: year)).contains(day)
    else { return nil }
    let midnight = Double(daysSince1970(year, month, day)) * 86_400
    if reader.isAtEnd { return Date(timeIntervalSince1970: midnight) }
    guard
      reader.take("T") || reader.take(" "),
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
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private struct Reader {
    var digits: [UInt8]
    var offset = 0

    init(digits: [UInt8]) {
      self.digits = digits
    }

    var isAtEnd: Bool { offset == digits.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
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
        let hour = number(2), hour < 24, take(":"),
        let minute = number(2), minute < 60
      else { return nil }
      guard take(":") else { return hour * 3600 + minute * 60 }
      guard let second = number(2), second < 60 else { return nil }
      return hour * 3600 + minute * 60 + second
    }

    mutating func fraction() -> Double? {
      guard take(".") else { return 0 }
      var text = "0."
      while let digit = number(1) { text += "\(digit)" }
      return text.count > 2 ? Double(text) : nil
    }

    mutating func zone() -> Int? {
      if take("Z") { return 0 }
      let sign: Int
      if take("+") {
        sign = 1
      } else if take("-") {
        sign = -1
      } else {
        return nil
      }
      guard let hours = number(2), hours < 24 else { return nil }
      if isAtEnd { return sign * hours * 3600 }
      _ = take(":")
      guard let minutes = number(2), minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
