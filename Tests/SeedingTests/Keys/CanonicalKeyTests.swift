import CoreData
import Foundation
import Seeding
import Testing

@Suite("Natural keys in composed and decomposed characters")
struct CanonicalKeyTests {
  private static let composed = "Caf\u{E9} \u{212B}"
  private static let decomposed = "Cafe\u{301} A\u{30A}"

  @Test(
    "a natural key finds the store's object in composed and in decomposed spelling",
    arguments: TestStore.Kind.allCases,
    [true, false]
  )
  func stored(kind: TestStore.Kind, isComposedFirst: Bool) throws {
    let spellings = isComposedFirst ? [Self.composed, Self.decomposed] : [Self.decomposed, Self.composed]
    let store = try TestStore(kind)
    try store.seed(#"{"tags": [{"name": "\#(spellings[0])"}, {"name": "plain"}]}"#)
    let json =
      #"{"tags": [{"name": "\#(spellings[1])"}], "notes": [{"title": "A", "tags": ["\#(spellings[1])"]}]}"#
    #expect(try store.seed(json).description == "Note: 1 created\nTag: 1 unchanged")
    #expect(try store.count("Tag") == 2)
    #expect(try store.lines("Note", "tags.name").map { Array($0.utf8) } == [Array(spellings[0].utf8)])
    var seeder = Seeder(.data(Data(#"{"tags": [{"name": "\#(spellings[1])"}]}"#.utf8), name: "p.json"))
    seeder.pruning = .all
    let report = try seeder.runAndWait(in: store.coordinator)
    #expect(report.description == "Tag: 1 unchanged, 1 deleted")
  }

  @Test(
    "records with the composed and the decomposed spelling of a key are one object",
    arguments: TestStore.Kind.allCases
  )
  func twice(kind: TestStore.Kind) throws {
    let both = #"{"tags": [{"name": "\#(Self.composed)"}, {"name": "\#(Self.decomposed)"}]}"#
    let store = try TestStore(kind)
    #expect(#expect(throws: SeedError.self) { try store.seed(both) }?.code == .ambiguousKey)
  }

  @Test(
    "a natural key is ambiguous if the store has an object in each spelling",
    arguments: TestStore.Kind.allCases
  )
  func ambiguous(kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    for (name, spelling) in [("a.json", Self.composed), ("b.json", Self.decomposed)] {
      try store.seed(#"{"$keys": {"tags": []}, "tags": [{"name": "\#(spelling)"}]}"#, name: name)
    }
    let error = #expect(throws: SeedError.self) {
      try store.seed(#"{"notes": [{"title": "A", "tags": ["\#(Self.composed)"]}]}"#)
    }
    #expect(error?.code == .ambiguousKey)
  }

  @Test(
    "both spellings are equal in a part of a composite key and in a relationship of a key",
    arguments: TestStore.Kind.allCases
  )
  func parts(kind: TestStore.Kind) throws {
    let store = try TestStore(kind, TestModel.library())
    func json(_ spelling: String) -> String {
      #"{"$keys": {"books": ["title", "author"]}, "authors": [{"name": "\#(spelling)"}], "books": [{"title": "\#(spelling)", "author": "\#(spelling)"}], "cards": [{"suit": "\#(spelling)", "value": 1}]}"#
    }
    #expect(try store.seed(json(Self.composed)).total.created == 3)
    #expect(try store.seed(json(Self.decomposed)).total.unchanged == 3)
  }

  #if !canImport(Darwin)
    @Test("both spellings of a natural key are equal in a seed that is imported in chunks")
    func streamed() throws {
      let store = try TestStore(.sqlite)
      try store.seed(#"{"tags": [{"name": "\#(Self.composed)"}]}"#)
      var lines = (0..<Seeder.manyRecords).map {
        "{\"$entity\": \"notes\", \"title\": \"\($0)\", \"tags\": \"\(Self.decomposed)\"}"
      }
      lines.append("{\"$entity\": \"tags\", \"name\": \"\(Self.decomposed)\"}")
      let report = try store.seed(lines.joined(separator: "\n"), name: "seed.jsonl")
      #expect(report.description == "Note: \(Seeder.manyRecords) created\nTag: 1 unchanged")
      #expect(try store.count("Tag") == 1)
    }
  #endif
}
