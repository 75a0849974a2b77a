import CoreData
import Foundation

/// Groups dates by day, month or year, depending on the time that they span.
struct DateBins {
  private static let day = 86_400.0
  /// The greatest number of distinct days in the query.
  private static let mostDays = 50_000
  /// The greatest number of seconds before or after 1 January 2001. Later and earlier dates are not grouped.
  private static let farthest = 2e11
  /// Empty intervals are included if there are fewer intervals than this.
  private static let mostWithEmpty = 400

  let maker: FacetMaker
  private var subject: FacetSubject { maker.query.subject }
  private var query: FacetQuery { maker.query }

  func values() throws -> (Facet.Kind, [Facet.Value]) {
    let known = subject.isIn(
      Date(timeIntervalSinceReferenceDate: -Self.farthest),
      upper: Date(timeIntervalSinceReferenceDate: Self.farthest)
    )
    guard let (least, greatest) = try query.extremes(known), let first = least as? Date,
      let last = greatest as? Date
    else { return (.values, []) }
    let days = dayNumber(first)...dayNumber(last)
    let unit = Self.unit(days.count)
    // The store counts by day, because all days have the same length. Months and years follow the calendar
    // and are added up here.
    let offset = NSExpression(forConstantValue: Double(-maker.secondsFromGMT))
    let local = NSExpression(
      forFunction: "from:subtract:",
      arguments: [NSExpression(forKeyPath: subject.keyPath), offset]
    )
    let number = NSExpression(
      forFunction: "floor:",
      arguments: [
        NSExpression(forFunction: "divide:by:", arguments: [local, NSExpression(forConstantValue: Self.day)])
      ]
    )
    let groups = try query.groups(by: number, condition: known, isByCount: false, limit: Self.mostDays)
    var counts: [Int: Int] = [:]
    for group in groups {
      guard let day = (group.value as? NSNumber)?.doubleValue, days.contains(Int(day)) else { continue }
      counts[CalendarUnit(unit, ofDay: Int(day)).number, default: 0] += group.count
    }
    return (.dates(unit), told(counts, unit: unit, days: days))
  }

  private func dayNumber(_ date: Date) -> Int {
    Int(floor((date.timeIntervalSinceReferenceDate + Double(maker.secondsFromGMT)) / Self.day))
  }

  private static func unit(_ days: Int) -> Facet.DateUnit {
    switch days {
    case ...62: .day
    case ...1830: .month
    default: .year
    }
  }

  private func told(_ counts: [Int: Int], unit: Facet.DateUnit, days: ClosedRange<Int>) -> [Facet.Value] {
    let first = CalendarUnit(unit, ofDay: days.lowerBound).number
    let last = CalendarUnit(unit, ofDay: days.upperBound).number
    let numbers =
      last - first < Self.mostWithEmpty
      ? Array(first...last) : Array(counts.keys.sorted().suffix(Self.mostWithEmpty))
    return numbers.map { value(CalendarUnit(unit, number: $0), count: counts[$0] ?? 0) }
  }

  private func value(_ unit: CalendarUnit, count: Int) -> Facet.Value {
    func seconds(_ day: Int) -> Double { Double(day) * Self.day - Double(maker.secondsFromGMT) }
    let bounds = seconds(unit.days.lowerBound)..<seconds(unit.days.upperBound)
    let predicate = subject.text(
      from: Date(timeIntervalSinceReferenceDate: bounds.lowerBound),
      to: Date(timeIntervalSinceReferenceDate: bounds.upperBound)
    )
    return Facet.Value(label: unit.label, count: count, predicate: predicate, bounds: bounds)
  }
}

/// A day, month or year of the Gregorian calendar, which also applies to dates before its introduction.
struct CalendarUnit: Hashable {
  /// The number of days from 1 March of the year 0 to 1 January 2001.
  private static let epoch = 730_791

  let unit: Facet.DateUnit
  /// The days since 1 January 2001, the months since year 0, or the year.
  let number: Int

  init(_ unit: Facet.DateUnit, number: Int) {
    self.unit = unit
    self.number = number
  }

  /// - Parameter day: a number of days since 1 January 2001.
  init(_ unit: Facet.DateUnit, ofDay day: Int) {
    self.unit = unit
    let date = Self.date(ofDay: day)
    number =
      switch unit {
      case .day: day
      case .month: date.year * 12 + date.month - 1
      case .year: date.year
      }
  }

  /// The days of the unit, since 1 January 2001.
  var days: Range<Int> {
    func firstDay(ofMonth number: Int) -> Int {
      let year = Int((Double(number) / 12).rounded(.down))
      return Self.day(ofYear: year, month: number - year * 12 + 1)
    }
    return switch unit {
    case .day: number..<(number + 1)
    case .month: firstDay(ofMonth: number)..<firstDay(ofMonth: number + 1)
    case .year: Self.day(ofYear: number, month: 1)..<Self.day(ofYear: number + 1, month: 1)
    }
  }

  /// The unit as ISO 8601 writes it: `2026`, `2026-03` or `2026-03-17`.
  var label: String {
    let date = Self.date(ofDay: days.lowerBound)
    let year = (date.year < 0 ? "-" : "") + Self.digits(abs(date.year), count: 4)
    return switch unit {
    case .year: year
    case .month: "\(year)-\(Self.digits(date.month, count: 2))"
    case .day: "\(year)-\(Self.digits(date.month, count: 2))-\(Self.digits(date.day, count: 2))"
    }
  }

  private static func digits(_ number: Int, count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  /// The number of days from 1 January 2001 to the first of a month.
  private static func day(ofYear year: Int, month: Int) -> Int {
    // Years are counted from March here, so that the day that leap years add is their last.
    let year = month > 2 ? year : year - 1
    let place = month > 2 ? month - 3 : month + 9
    let (era, ofEra) = floored(year, divisor: 400)
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + (153 * place + 2) / 5 - epoch
  }

  private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let (era, ofEra) = floored(day + epoch, divisor: 146_097)
    let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let place = (5 * ofYear + 2) / 153
    let month = place < 10 ? place + 3 : place - 9
    return (year + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * place + 2) / 5 + 1)
  }

  private static func floored(_ number: Int, divisor: Int) -> (quotient: Int, rest: Int) {
    let quotient = Int((Double(number) / Double(divisor)).rounded(.down))
    return (quotient, number - quotient * divisor)
  }
}
