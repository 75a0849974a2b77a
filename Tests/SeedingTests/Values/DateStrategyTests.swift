import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Date strategies in seeds")
struct DateStrategyTests {
  private static let moment = Date(timeIntervalSince1970: 1_710_683_139)

  @Test(
    "a date is read as its strategy writes it",
    arguments: [
      ("byLook", SeedValue.integer(1_710_683_139)), ("byLook", .string("1710683139")),
      ("byLook", .string("2024-03-17T13:45:39Z")), ("byLook", .date(moment)),
      ("iso8601", .string("2024-03-17T14:45:39+01:00")), ("iso8601", .date(moment)),
      ("secondsSince1970", .integer(1_710_683_139)), ("secondsSince1970", .number("1710683139.0")),
      ("millisecondsSince1970", .integer(1_710_683_139_000)), ("secondsSince2001", .integer(732_375_939)),
      ("dd.MM.yyyy HH:mm:ss", .string("17.03.2024 13:45:39")),
      ("EEE, d MMM yyyy HH:mm:ss Z", .string("Sun, 17 Mar 2024 14:45:39 +0100")),
    ]
  )
  func reads(word: String, value: SeedValue) throws {
    #expect(try #require(DateStrategy(word)).date(value) == Self.moment)
  }

  @Test(
    "a date that is not written in its strategy's way is refused",
    arguments: [
      ("byLook", SeedValue.string("20240317")), ("byLook", .string("17.03.2024")), ("byLook", .bool(true)),
      ("iso8601", .integer(5)), ("secondsSince1970", .string("2024-03-17")),
      ("dd.MM.yyyy", .string("2024-03-17")), ("dd.MM.yyyy", .string("30.02.2018")),
      ("dd.MM.yyyy", .integer(5)),
    ]
  )
  func refuses(word: String, value: SeedValue) throws {
    #expect(try #require(DateStrategy(word)).date(value) == nil)
  }

  @Test(
    "a word that is neither a date strategy nor a format is refused",
    arguments: ["", "iso", "HH:mm", "seconds"]
  )
  func unknown(word: String) {
    #expect(DateStrategy(word) == nil)
  }

  @Test("an attribute's date strategy in the user info takes precedence over the file's header")
  func userInfo() throws {
    let model = TestModel.notes { entities in
      entities["Note"]?.attributesByName["updatedAt"]?.userInfo = ["seed.dates": "millisecondsSince1970"]
    }
    let store = try TestStore(.inMemory, model)
    try store.seed(
      """
      {"$dates": "dd.MM.yyyy", "notes": [{"title": "A", "createdAt": "01.01.1970", "updatedAt": 1000}]}
      """
    )
    #expect(
      try store.lines("Note", "createdAt", "updatedAt") == [
        "1970-01-01 00:00:00 +0000|1970-01-01 00:00:01 +0000"
      ]
    )
  }
}
