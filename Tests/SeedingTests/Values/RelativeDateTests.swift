import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Relative dates")
struct RelativeDateTests {
  private static func date(_ text: String) throws -> Date { try #require(ISO8601Date.parse(text)) }

  @Test(
    "relative dates are added by units, and months give the same day or the last one of the month",
    arguments: [
      ("0d", "2024-03-31T12:30:00Z"), ("-3d", "2024-03-28T12:30:00Z"), ("+90s", "2024-03-31T12:31:30Z"),
      ("15m", "2024-03-31T12:45:00Z"), ("-13h", "2024-03-30T23:30:00Z"), ("2w", "2024-04-14T12:30:00Z"),
      ("-1M", "2024-02-29T12:30:00Z"), ("1M", "2024-04-30T12:30:00Z"), ("-1y", "2023-03-31T12:30:00Z"),
      ("-13M", "2023-02-28T12:30:00Z"), ("+1y-2M", "2025-01-31T12:30:00Z"),
      ("-2024y", "0000-03-31T12:30:00Z"),
      ("9M", "2024-12-31T12:30:00Z"), ("-3M", "2023-12-31T12:30:00Z"),
    ]
  )
  func units(words: String, expected: String) throws {
    let now = try Self.date("2024-03-31T12:30:00Z")
    #expect(try RelativeDate(words).date(from: now) == Self.date(expected))
  }

  @Test(
    "a wrong relative date, or one outside of the years of seeds, is refused",
    arguments: [
      "", "now", "3", "d", "-3 d", "3D", "1.5h", "1d2h", "--1d", "9999y", "-2025y", "9999999999999s",
      "99999999999M",
    ]
  )
  func refused(words: String) throws {
    let now = try Self.date("2024-03-31T12:30:00Z")
    #expect(throws: AttributeConversion.Failure.self) { try RelativeDate(words).date(from: now) }
  }

  @Test(
    "relative dates use the seeder's date in every format",
    arguments: [
      ("notes.json", #"{"notes": [{"title": "A", "createdAt": {"$now": "-3d"}}]}"#),
      ("notes.jsonl", #"{"title": "A", "createdAt": {"$now": "-3d"}}"#),
      ("notes.yaml", "notes: [{title: A, createdAt: {$now: -3d}}]"),
      ("notes.csv", "title,created_at.$now\nA,-3d\n"),
      (
        "notes.plist",
        "<plist><dict><key>notes</key><array><dict><key>title</key><string>A</string><key>createdAt</key>"
          + "<dict><key>$now</key><string>-3d</string></dict></dict></array></dict></plist>"
      ),
    ],
    TestStore.Kind.allCases
  )
  func formats(seed: (name: String, text: String), kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    var seeder = Seeder(.data(Data(seed.text.utf8), name: seed.name), policy: .always)
    seeder.now = try Self.date("2024-03-17")
    #expect(try seeder.runAndWait(in: store.coordinator).total.created == 1)
    #expect(try store.first("Note", "createdAt", as: Date.self) == Self.date("2024-03-14"))
    #expect(try seeder.runAndWait(in: store.coordinator).total.unchanged == 1)
    seeder.now = try Self.date("2024-03-18")
    #expect(try seeder.runAndWait(in: store.coordinator).total.updated == 1)
    seeder.policy = .oncePerContent
    _ = try seeder.runAndWait(in: store.coordinator)
    seeder.now = try Self.date("2024-03-19")
    #expect(try seeder.runAndWait(in: store.coordinator).total.skipped == 1)
  }

  @Test("relative dates use the time of the run, in whole seconds, and the same one for all records")
  func present() throws {
    let store = try TestStore()
    let before = Date()
    try store.seed(
      #"{"notes": [{"title": "A", "createdAt": {"$now": "0s"}}, {"title": "B", "createdAt": {"$now": "0s"}}]}"#
    )
    let dates = Set(try store.values("Note", "createdAt"))
    #expect(dates.count == 1)
    let date = try #require(try store.first("Note", "createdAt", as: Date.self))
    #expect(date.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 1) == 0)
    #expect(date > before - 2 && date <= Date())
  }

  @Test("relative dates are only for date attributes")
  func misplaced() throws {
    let error = #expect(throws: SeedError.self) {
      try TestStore().seed(#"{"notes": [{"title": {"$now": "0d"}}]}"#)
    }
    #expect(
      error?.description.hasPrefix(
        "seed.json:1: Note record 1, key \"title\": an object is not a value for a String"
      ) == true
    )
  }
}
