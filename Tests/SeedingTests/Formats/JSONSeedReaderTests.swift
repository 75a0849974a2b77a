import Foundation
import Testing

@testable import Seeding

@Suite("Reading seeds in JSON")
struct JSONSeedReaderTests {
  private func records(_ text: String) throws -> [SeedRecord] {
    var reader = try JSONSeedReader(
      SeedBytes(.data(Data(text.utf8)), file: "seed.json"),
      file: "seed.json",
      word: "seed"
    )
    var records: [SeedRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }

  @Test("JSON records are read in the order of the file, with their number in the list and their line")
  func order() throws {
    let records = try records(
      """
      {
        "tags": [
          { "name": "News" },
          {
            "name": "Weather"
          }
        ],
        "empty": [],
        "notes": [{ "title": "One" }]
      }
      """
    )
    #expect(records.map(\.entity) == ["tags", "tags", "empty", "notes"])
    #expect(records.map(\.isEmptyList) == [false, false, true, false])
    #expect(records.map(\.position.record) == [1, 2, nil, 1])
    #expect(records.map(\.position.line) == [3, 4, 8, 9])
    #expect(records.map(\.position.description).last == "seed.json:9: notes record 1")
    #expect(records[1].fields == [SeedField(key: "name", value: .string("Weather"))])
  }

  @Test("a JSON list has records of the entity that the file is named after")
  func list() throws {
    let records = try records("[\n  {\"name\": \"News\"},\n  {\"name\": \"Weather\"}\n]\n")
    #expect(records.map(\.entity) == ["seed", "seed"])
    #expect(
      records.map(\.position.description) == ["seed.json:2: seed record 1", "seed.json:3: seed record 2"]
    )
    #expect(try self.records("[]").map(\.isEmptyList) == [true])
    #expect(throws: SeedError.self) { try self.records("[] {}") }
  }

  @Test("a JSON object without entities is a seed without records")
  func noRecords() throws {
    #expect(try records(" {} ").isEmpty)
  }

  @Test("a JSON reader returns the records before an error, and then the error")
  func streams() throws {
    let text = Data("{\"tags\": [{\"name\": \"News\"}, {\"name\" ]}".utf8)
    var reader = try JSONSeedReader(
      SeedBytes(.data(text), file: "seed.json"),
      file: "seed.json",
      word: "seed"
    )
    #expect(try reader.next() != nil)
    let error = #expect(throws: SeedError.self) { try reader.next() }
    #expect(error?.code == .brokenText)
    #expect(error?.position?.column == 37)
  }

  @Test(
    "a JSON text without the structure of a seed is refused, and the error says what is expected",
    arguments: [
      ("12", "the seed is neither an object whose keys are entities nor a list of records"),
      ("[\"News\"]", "the record is not an object"),
      ("{\"tags\": {\"name\": \"News\"}}", "the value of \"tags\" is not a list of records"),
      ("{\"tags\": [\"News\"]}", "the record is not an object"),
      ("{\"tags\": [], \"tags\": []}", "the key \"tags\" stands twice"),
    ]
  )
  func shape(text: String, problem: String) {
    let error = #expect(throws: SeedError.self) { try records(text) }
    #expect(error?.code == .wrongShape)
    #expect(error?.problem.contains(problem) == true)
    #expect(error?.remedy.contains("list of objects") == true)
  }

  @Test(
    "a JSON text that is cut off or continues after its end is refused",
    arguments: [
      "", "{", "{\"tags\"", "{\"tags\": [", "{\"tags\": [{}", "{\"tags\": [{}]", "{} {}", "{\"tags\": [{}],}",
      "{\"tags\": [{} {}]}", "{\"tags\": [] \"notes\": []}",
    ]
  )
  func cutOff(text: String) {
    let error = #expect(throws: SeedError.self) { try records(text) }
    #expect(error?.code == .brokenText)
    #expect(error?.position?.line == 1)
  }
}
