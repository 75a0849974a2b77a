import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("Transactions of the history")
struct TransactionPageTests {
  private static func store() throws -> BrowsedStore {
    try BrowsedStore(options: [NSPersistentHistoryTrackingKey: true]) { context in
      context.transactionAuthor = "Ada"
      for number in 0..<130 { _ = BrowsedStore.insert("Note", ["title": "Note \(number)"], in: context) }
    }
  }

  @Test("All changes of a transaction are on its pages")
  func changes() async throws {
    let store = try Self.store()
    let history = try await store.page("/history")
    let link = try #require(history.firstMatch(of: /<li><a href="(\/history\/transaction\/\d+)">110 more</))
    var path: String? = String(link.output.1)
    var objects: Set<String> = []
    while let present = path {
      let page = try await store.page(present)
      #expect(page.contains("<span class=\"tally\">130 inserted</span>") && page.contains("<bdi>Ada</bdi>"))
      objects.formUnion(page.matches(of: /<a href="(\/entity\/Note\/\d+)"/).map { String($0.output.1) })
      path = page.firstMatch(of: /href="([^"]*)" rel="next"/).map {
        String($0.output.1.replacing("&amp;", with: "&"))
      }
    }
    #expect(objects.count == 130)
  }

  @Test(
    "The page of an unknown transaction is not found",
    arguments: ["0", "-1", "x", "99", "01", "9223372036854775807"]
  )
  func none(number: String) async throws {
    let store = try Self.store()
    _ = try await store.page("/history/transaction/\(number)", status: .notFound)
  }

  @Test("The history is filtered by time")
  func times() async throws {
    let store = try Self.store()
    let none = "There are no such changes."
    #expect(try await store.page("/history?since=2000-01-01").contains("110 more"))
    #expect(try await store.page("/history?until=2000-01-01T10:00").contains(none))
    #expect(try await store.page("/history?since=9000-01-01&author=Ada").contains(none))
    #expect(
      try await store.page("/history?since=2000-01-01&until=9000-01-01").contains("value=\"9000-01-01\"")
    )
    for odd in ["since=x", "until=2024-13-01", "since=%3Cscript%3E"] {
      #expect(try await store.page("/history?\(odd)", status: .badRequest).contains("is not a time"))
    }
  }

  @Test("Times are shown in the user's time zone, to the second")
  func localTime() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let time = LocalTime(zone)
    let summer = Date(timeIntervalSince1970: 1_718_450_000.123_456_7)
    #expect(time.words(summer) == "2024-06-15 13:13:20+02:00")
    #expect(time.date("2024-06-15T13:13") == Date(timeIntervalSince1970: 1_718_449_980))
    #expect(time.date("2024-01-15") == Date(timeIntervalSince1970: 1_705_273_200))
    #expect(time.date("2024-01-15T00:00:00Z") == Date(timeIntervalSince1970: 1_705_276_800))
    #expect(time.date("yesterday") == nil && time.date("") == nil)
    for seconds in [1e300, -1e300, .infinity, 4e11] {
      #expect(!time.words(Date(timeIntervalSinceReferenceDate: seconds)).isEmpty)
    }
  }
}
