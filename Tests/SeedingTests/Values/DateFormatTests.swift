import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Dates in a declared format")
struct DateFormatTests {
  private func date(_ pattern: String, _ text: String) throws -> Date? { try DateFormat(pattern).date(text) }

  @Test(
    "dates in a format are of the Gregorian calendar in all years",
    arguments: ["15.03.1200", "10.10.1582", "29.02.0004", "01.01.0001", "31.12.9999"]
  )
  func gregorian(text: String) throws {
    let parts = text.split(separator: ".")
    #expect(try date("dd.MM.yyyy", text) == ISO8601Date.parse("\(parts[2])-\(parts[1])-\(parts[0])"))
  }

  @Test(
    "dates in a format are refused if their numbers do not fit the pattern",
    arguments: [
      ("dd.MM.yyyy", "1.2.24"), ("dd.MM.yyyy", "15.03.12024"), ("dd.MM.yyyy", "29.02.1100"),
      ("yyyyMMdd", "240317"),
      ("dd.MM.yy", "17.03.2024"), ("yyyy-MM-dd HH:mm VV", "2024-03-31 02:30 Europe/Brussels"),
      ("dd.MM.yyyy Z", "15.03.12024 +0100"), ("yyyy-MM-dd", "2024-03-17x"),
      ("yyyy-MM-dd", String(repeating: "1", count: 10_000)),
    ]
  )
  func refused(pattern: String, text: String) throws {
    #expect(try date(pattern, text) == nil)
  }

  @Test(
    "dates in a format may have fewer zeros, zones, names and fractions of seconds",
    arguments: [
      ("dd.MM.yyyy", "1.2.2024", "2024-02-01"), ("d.M.yyyy", "01.02.2024", "2024-02-01"),
      ("dd.MM.yy", "17.03.24", "2024-03-17"),
      ("yyyyMMdd", "20240317", "2024-03-17"),
      ("yyyy-MM-dd HH:mm:ss.SSS", "2024-03-17 13:45:39.123", "2024-03-17T13:45:39.123Z"),
      ("yyyy-MM-dd HH:mm VV", "2024-03-17 13:45 Europe/Brussels", "2024-03-17T12:45:00Z"),
      ("yyyy-MM-dd HH:mm VV", "2024-10-27 03:30 Europe/Brussels", "2024-10-27T02:30:00Z"),
      ("yyyy-MM-dd'T'HH:mm:ssZ", "2024-03-17T13:45:39+0100", "2024-03-17T12:45:39Z"),
      ("yyyy-MM-dd'T'HH:mm:ssZZZZZ", "2024-12-31T23:45:39-05:00", "2025-01-01T04:45:39Z"),
      ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-03-17T13:45:39Z", "2024-03-17T13:45:39Z"),
      ("EEEE, d MMMM yyyy h:mm a", "Sunday, 17 March 2024 1:45 PM", "2024-03-17T13:45:00Z"),
      ("Z yyyy-MM-dd HH:mm", "+0100 2024-03-17 13:45", "2024-03-17T12:45:00Z"),
      ("yyyy-MM-dd HH:mm zzz", "2024-03-17 13:45 PST", "2024-03-17T21:45:00Z"),
    ]
  )
  func read(pattern: String, text: String, expected: String) throws {
    let expected = try #require(ISO8601Date.parse(expected))
    let found = try #require(try date(pattern, text))
    #expect(abs(found.timeIntervalSince(expected)) < 1e-6)
  }

  @Test(
    "a date format needs a year, a month and a day, and minutes instead of the month are refused",
    arguments: [
      ("dd.MM.yyyy", true), ("yyyy-DDD", true), ("d LLLL yyyy", true), ("dd.mm.yyyy", false),
      ("dd.yyyy", false),
      ("MM.yyyy", false), ("'d M' yyyy", false), ("dd.MM.YYYY", false),
    ]
  )
  func fields(pattern: String, isFormat: Bool) {
    #expect((DateStrategy(pattern) != nil) == isFormat)
  }

  @Test("a local time that occurs twice is refused, with a remedy")
  func ambiguous() throws {
    let json =
      #"{"$dates": "yyyy-MM-dd HH:mm VV", "notes": [{"title": "A", "createdAt": "2024-10-27 02:30 Europe/Brussels"}]}"#
    let error = #expect(throws: SeedError.self) { try TestStore().seed(json) }
    #expect(
      error?.description
        == "seed.json:1: Note record 1, key \"createdAt\": the clocks in Europe/Brussels showed \"2024-10-27 02:30 Europe/Brussels\" "
        + "twice; give the time in UTC, or with its offset, such as 2024-10-27T02:30:00+01:00"
    )
  }

  @Test(
    "milliseconds instead of seconds are refused with a remedy, and read if they are declared"
  )
  func milliseconds() throws {
    let notes = #""notes": [{"title": "A", "createdAt": 1710683139000}]"#
    let error = #expect(throws: SeedError.self) { try TestStore().seed("{\(notes)}") }
    #expect(error?.problem.hasSuffix("is not in the years 0 to 9999") == true)
    #expect(error?.remedy == "give seconds, or declare \"$dates\": \"millisecondsSince1970\" in the header")
    let store = try TestStore()
    try store.seed("{\"$dates\": \"millisecondsSince1970\", \(notes)}")
    #expect(try store.first("Note", "createdAt", as: Date.self) == ISO8601Date.parse("2024-03-17T13:45:39Z"))
  }
}
