import CoreData
import Foundation
import Seeding
import Testing

@Suite("Empty lists in seeds")
struct EmptyListTests {
  static let empty: [(name: String, text: String)] = [
    ("tags.json", "[]"), ("tags.yaml", "[]\n"), ("tags.plist", "<plist><array/></plist>"),
    ("seed.json", "{\"tags\": []}"), ("seed.json", "{\"Tag\": [ ], \"notes\": []}"),
    ("seed.yaml", "tags: []\n"),
    ("seed.plist", "<plist><dict><key>tags</key><array/></dict></plist>"), ("tags.csv", "name\n"),
    ("tags.tsv", "name"), ("seed.jsonl", "{\"$empty\": [\"tags\"]}\n"),
    ("seed.jsonl", "{\"$empty\": \"Tag\"}"),
  ]

  /// A seeder in each mode, and one that prunes all objects.
  private static func seeders(_ source: SeedSource) -> [(seeder: Seeder, isDeleting: Bool)] {
    var pruning = Seeder(source)
    pruning.pruning = .all
    return SeedMode.allCases.map { (seeder: Seeder(source, mode: $0), isDeleting: $0 == .replace) }
      + [(seeder: pruning, isDeleting: true)]
  }

  @Test(
    "an empty list deletes all objects of its entity in modes that delete, and nothing in others",
    arguments: empty.indices,
    TestStore.Kind.allCases
  )
  func deletes(index: Int, kind: TestStore.Kind) throws {
    let (name, text) = Self.empty[index]
    for (seeder, isDeleting) in Self.seeders(.data(Data(text.utf8), name: name)) {
      let store = try TestStore(kind)
      try store.seed(
        "{\"tags\": [{\"name\": \"A\"}, {\"name\": \"B\"}], \"categories\": [{\"name\": \"C\"}]}",
        name: "first.json"
      )
      let preview = try seeder.preview(in: store.coordinator)
      let report = try seeder.runAndWait(in: store.coordinator)
      #expect(report.total.deleted == (isDeleting ? 2 : 0))
      #expect(preview.changes.map(\.kind) == (isDeleting ? [.deleted, .deleted] : []))
      #expect(try store.count("Tag") == (isDeleting ? 0 : 2))
      #expect(try store.count("Category") == 1)
    }
  }

  @Test(
    "an empty list deletes objects even if the rest of the seed is too large to be read at once",
    .enabled(if: canStream)
  )
  func streamed() throws {
    let records = (0..<Seeder.manyRecords).map { "{\"name\": \"\($0)\"}" }.joined(separator: ",")
    let source = SeedSource.data(
      Data("{\"tags\": [], \"categories\": [\(records)]}".utf8),
      name: "seed.json"
    )
    for (seeder, isDeleting) in Self.seeders(source) where isDeleting {
      let store = try TestStore(.sqlite)
      try store.seed("{\"tags\": [{\"name\": \"A\"}]}", name: "first.json")
      #expect(try seeder.inPieces.runAndWait(in: store.coordinator).total.deleted == 1)
      #expect(try store.count("Tag") == 0)
      #expect(try store.count("Category") == Seeder.manyRecords)
    }
  }

  private static var canStream: Bool {
    #if canImport(Darwin)
      false
    #else
      true
    #endif
  }

  @Test("an empty list of an abstract entity applies to all its subentities")
  func abstract() throws {
    let store = try TestStore(.inMemory, TestModel.library())
    try store.seed(
      "{\"employees\": [{\"name\": \"E\"}], \"customers\": [{\"name\": \"C\"}], \"authors\": [{\"name\": \"A\"}]}",
      name: "first.json"
    )
    try Seeder(.data(Data("{\"people\": []}".utf8), name: "seed.json"), mode: .replace)
      .runAndWait(in: store.coordinator)
    #expect(try store.count("Person") == 0)
    #expect(try store.count("Author") == 1)
  }

  @Test(
    "an empty list of an entity that the model does not have is an error in every format",
    arguments: [
      ("seed.json", "{\"tags\": [],\n\"tgas\": []}", 2), ("seed.yaml", "tags: []\ntgas: []\n", 2),
      ("seed.plist", "<plist><dict><key>tgas</key><array/></dict></plist>", nil), ("tgas.csv", "name\n", 1),
      ("seed.jsonl", "{\"$empty\": [\"tags\"]}\n{\"$empty\": [\"tgas\"]}", 2),
    ] as [(String, String, Int?)],
    TestStore.Kind.allCases
  )
  func unknown(seed: (name: String, text: String, line: Int?), kind: TestStore.Kind) throws {
    for mode in SeedMode.allCases {
      let store = try TestStore(kind)
      let error = #expect(throws: SeedError.self) {
        try Seeder(.data(Data(seed.text.utf8), name: seed.name), mode: mode).runAndWait(in: store.coordinator)
      }
      #expect(error?.code == .unknownEntity)
      #expect(error?.problem == "the model has no entity that \"tgas\" could mean")
      #expect(error?.position?.entity == "tgas" && error?.position?.line == seed.line)
    }
  }

  @Test("an empty list in JSON Lines gives the names of its entities under $empty")
  func words() throws {
    let error = #expect(throws: SeedError.self) {
      try TestStore().seed("{\"$empty\": [\"tags\", 1]}", name: "seed.jsonl")
    }
    #expect(
      error?.description.hasPrefix("seed.jsonl:1: the number 1 stands under $empty; give the names") == true
    )
  }
}
