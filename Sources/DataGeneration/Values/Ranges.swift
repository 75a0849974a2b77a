/// The numbers that one expects of an attribute of a name.
struct NumberRange {
  let range: ClosedRange<Double>

  private static let signs: [(String, ClosedRange<Double>)] = [
    ("latitude", -90...90), ("longitude", -180...180), ("age", 0...99), ("year", 1970...2030),
    ("rating", 1...5),
    ("stars", 1...5), ("percent", 0...100), ("progress", 0...1), ("price", 1...500), ("amount", 1...5000),
    ("cost", 1...500), ("total", 1...5000), ("quantity", 1...100), ("count", 0...100), ("weight", 1...200),
    ("height", 1...250), ("width", 1...250), ("month", 1...12), ("day", 1...28), ("hour", 0...23),
    ("minute", 0...59), ("priority", 1...5),
  ]

  init(name: String) {
    let folded = name.lowercased()
    range = Self.signs.first { folded.contains($0.0) }?.1 ?? 0...1000
  }
}

/// The dates that one expects of an attribute of a name, in seconds since 1970.
struct DateRange {
  let range: ClosedRange<Int64>

  /// 1 January 2022 and 2024: the generated values must not depend on the current date.
  private static let first: Int64 = 1_640_995_200
  private static let last: Int64 = 1_704_067_199

  init(name: String) {
    let folded = name.lowercased()
    if folded.contains("birth") {
      // 1940 to 2009.
      range = -946_771_200...1_262_303_999
    } else if ["updated", "modified", "changed", "deleted", "deletion", "ended", "until", "due"].contains(
      where: folded.contains
    ) {
      // After all that was created.
      range = (Self.last + 1)...(Self.last + 365 * 86_400)
    } else {
      range = Self.first...Self.last
    }
  }
}

/// Dates as ISO 8601 has them, in UTC.
enum DateText {
  /// - Parameter seconds: Since 1970.
  static func of(_ seconds: Int64) -> String {
    let (days, rest) = (seconds.floorDivided(by: 86_400), seconds.floorRemainder(86_400))
    // The days of eras of 400 years that begin in March, so that leap days are at the end of a year.
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let day = shifted.floorRemainder(146_097)
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let part = (5 * dayOfYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    let calendarYear = year + era * 400 + (month <= 2 ? 1 : 0)
    let date =
      "\(digits(calendarYear, count: 4))-\(digits(month))-\(digits(dayOfYear - (153 * part + 2) / 5 + 1))"
    return "\(date)T\(digits(rest / 3600)):\(digits(rest / 60 % 60)):\(digits(rest % 60))Z"
  }

  private static func digits(_ number: Int64, count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }

  fileprivate func floorRemainder(_ divisor: Int64) -> Int64 { self - floorDivided(by: divisor) * divisor }
}
