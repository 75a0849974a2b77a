import Foundation
import Testing

@testable import Seeding

@Suite("ISO 8601 dates in seeds")
struct ISO8601DateTests {
  @Test(
    "an ISO 8601 date that names exactly one moment is read",
    arguments: [
      ("1970-01-01", 0),
      ("2024-03-17", 1_710_633_600),
      ("2024-03-17T13:45:39Z", 1_710_683_139),
      ("2024-03-17 13:45:39Z", 1_710_683_139),
      ("2024-03-17T13:45Z", 1_710_683_100),
      ("2024-03-17T14:45:39+01:00", 1_710_683_139),
      ("2024-03-17T14:45:39+0100", 1_710_683_139),
      ("2024-03-17T08:45:39-05", 1_710_683_139),
      ("2024-03-17T13:45:39.5Z", 1_710_683_139.5),
      ("2000-02-29", 951_782_400),
      ("1900-03-01", -2_203_891_200),
      ("0001-01-01", -62_135_596_800),
      ("9999-12-31T23:59:59Z", 253_402_300_799),
    ]
  )
  func reads(text: String, seconds: Double) {
    #expect(ISO8601Date.parse(text)?.timeIntervalSince1970 == seconds)
  }

  @Test(
    "an ISO 8601 date that does not name exactly one moment is refused",
    arguments: [
      "", "yesterday", "2018", "2018-02", "2018-02-30", "1900-02-29", "2018-13-01", "2018-00-01",
      "2018-01-00",
      "2024-03-17T13:45:39", "2024-03-17T24:00:00Z", "2024-03-17T13:60:00Z", "2024-03-17T13:45:60Z",
      "2024-03-17T13:45:39.Z", "2024-03-17T13:45:39Z and more", "2024-03-17T", "2024-03-17T13:45:39+1",
      "18-02-07",
      "2024-03-17T13:45:39+25:00", "٢٠٢٤-03-17",
    ]
  )
  func refuses(text: String) {
    #expect(ISO8601Date.parse(text) == nil)
  }

  @Test("every day from 1600 to 2370 agrees with Foundation's calendar")
  func calendar() throws {
    let style = Date.ISO8601FormatStyle().year().month().day()
    for day in stride(from: -135_140, through: 146_097, by: 1) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400)
      let text = style.format(date)
      guard ISO8601Date.parse(text) != date else { continue }
      Issue.record("\(text) is read as \(String(describing: ISO8601Date.parse(text)))")
      return
    }
  }
}
