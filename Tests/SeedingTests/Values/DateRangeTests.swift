import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Dates of the years 0 to 9999")
struct DateRangeTests {
  @Test(
    "the first and the last date of the range are read, and written as they are read",
    arguments: [
      "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.5Z", "1582-10-10T00:00:00Z",
      "0001-01-01T00:00:00Z", "1900-02-28T23:59:59.25Z", "2000-02-29T12:00:00Z", "1969-12-31T23:59:59Z",
    ]
  )
  func taken(text: String) throws {
    let date = try #require(ISO8601Date.parse(text))
    #expect(ISO8601Date.text(date) == text)
    let store = try TestStore()
    try store.seed("{\"notes\": [{\"title\": \"A\", \"createdAt\": \"\(text)\"}]}")
    #expect(try store.first("Note", "createdAt", as: Date.self) == date)
  }

  @Test("every day of the range has a text that is read as the same day")
  func days() throws {
    for day in stride(from: -719_528.0, through: 2_932_896, by: 997) {
      let date = Date(timeIntervalSince1970: day * 86_400 + 0.1)
      #expect(ISO8601Date.text(date).flatMap(ISO8601Date.parse) == date)
    }
    for date in [Date.distantPast, .distantFuture] {
      #expect(ISO8601Date.text(date).flatMap(ISO8601Date.parse) == date)
    }
  }

  @Test(
    "dates outside of the range are refused in every format",
    arguments: [
      "1e308", "-1e308", "253402300800", "-62167219201", "1e17",
    ]
  )
  func refused(number: String) throws {
    let store = try TestStore()
    for text in ["{\"notes\": [{\"title\": \"A\", \"createdAt\": \(number)}]}"] {
      let error = #expect(throws: SeedError.self) { try store.seed(text) }
      #expect(error?.code == .wrongType)
      #expect(error?.position?.key == "createdAt" && error?.position?.line == 1)
      #expect(
        error?.problem.hasSuffix("is not in the years 0 to 9999") == true,
        "\(String(describing: error))"
      )
    }
    #expect(try store.count("Note") == 0)
  }

  @Test("an invalid date in a property list is refused, also for a required attribute")
  func notANumber() throws {
    for seconds in [Double.nan, .infinity, -.infinity, 1e308] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let lists = ["notes": [["title": "A", "createdAt": date] as [String: Any]]]
      let data = try PropertyListSerialization.data(fromPropertyList: lists, format: .binary, options: 0)
      let store = try TestStore(
        .sqlite,
        TestModel.notes { $0["Note"]?.attributesByName["createdAt"]?.isOptional = false }
      )
      let error = #expect(throws: SeedError.self) {
        try Seeder(.data(data, name: "notes.plist")).runAndWait(in: store.coordinator)
      }
      #expect(error?.code == .wrongType, "\(String(describing: error))")
      #expect(try store.count("Note") == 0)
    }
  }

  @Test("NaN is refused for a required attribute, and is null for others")
  func nan() throws {
    for isRequired in [true, false] {
      for name in ["double", "float"] {
        let model = TestModel.things(hasComposite: false)
        model.entitiesByName["Thing"]?.attributesByName[name]?.isOptional = !isRequired
        let store = try TestStore(.sqlite, model)
        let json = "{\"things\": [{\"uuid\": \"\(UUID())\", \"\(name)\": \"nan\"}]}"
        guard isRequired else {
          try store.seed(json)
          let again = try store.seed(json, policy: .always).description
          #expect(again == "Thing: 1 unchanged")
          continue
        }
        let error = #expect(throws: SeedError.self) { try store.seed(json) }
        #expect(error?.code == .wrongType)
      }
    }
  }

  @Test("infinite numbers are kept, and infinite decimal numbers are refused")
  func infinite() throws {
    let store = try TestStore(.sqlite, TestModel.things(hasComposite: false))
    try store.seed("{\"things\": [{\"name\": \"A\", \"double\": \"-inf\", \"float\": \"inf\"}]}")
    #expect(try store.first("Thing", "double", as: Double.self) == -.infinity)
    #expect(try store.first("Thing", "float", as: Float.self) == .infinity)
    for text in ["\"nan\"", "\"inf\"", "1e999", "\"1e200\""] {
      let error = #expect(throws: SeedError.self) { try store.seed("{\"things\": [{\"decimal\": \(text)}]}") }
      #expect(error?.code == .wrongType)
    }
  }
}
