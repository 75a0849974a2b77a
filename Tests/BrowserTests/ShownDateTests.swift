import CoreData
import Foundation
import Seeding
import StoreExploration
import TestModels
import Testing

@testable import Browser

@Suite("The form of dates on pages")
struct ShownDateTests {
  @Test(
    "A date has one form in every time zone, which is read as the same date",
    arguments: [
      (0.5, "Europe/Berlin", "2001-01-01 01:00:00.5+01:00"), (0, "America/New_York", "2000-12-31 19:00:00-05:00"),
      (0, "GMT", "2001-01-01 00:00:00Z"), (0.25, "Asia/Kathmandu", "2001-01-01 05:45:00.25+05:45"),
    ]
  )
  func form(seconds: Double, zone: String, expected: String) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let zone = try #require(TimeZone(identifier: zone))
    let text = ShownDate.text(date, in: zone)
    #expect(text == expected)
    #expect(ISO8601Date.parse(text) == date)
  }

  @Test("Grids, objects, counts and names show a date in the same form")
  func pages() async throws {
    let event = makeEntity("Event", makeAttribute("at", .dateAttributeType))
    let ticket = makeEntity("Ticket", makeAttribute("name"))
    // The date is the name of an event.
    event.uniquenessConstraints = [["at"]]
    relate(ticket, "event", isToMany: false, event, "tickets", isToMany: true)
    let store = try BrowsedStore(model: makeModel([event, ticket])) { context in
      let date = Date(timeIntervalSinceReferenceDate: 3_601)
      let event = BrowsedStore.insert("Event", ["at": date], in: context)
      _ = BrowsedStore.insert("Ticket", ["name": "A", "event": event], in: context)
    }
    for path in [
      "/entity/Event", "/entity/Event/1", "/entity/Ticket", "/entity/Ticket/1", "/entity/Ticket/facet?by=event",
    ] {
      let page = try await store.page(path)
      #expect(page.contains("2001-01-01 01:00:01Z"), "\(path)")
      #expect(!page.replacing(/(href|value)="[^"]*"/, with: "").contains("2001-01-01T"), "\(path)")
    }
  }
}
