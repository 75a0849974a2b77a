import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Versions of a seed")
struct SeedVersionTests {
  private func category(_ colour: String) -> String {
    "{\"categories\": [{\"name\": \"Swift\", \"colorAsHex\": \"\(colour)\"}]}"
  }

  @Test(
    "an earlier content of a seed is imported again, because the last import decides",
    arguments: SeedWay.allCases
  )
  func backwards(way: SeedWay) throws {
    let store = try way.store()
    for colour in ["one", "two", "one", "two"] {
      #expect(try !way.seed(store, ["seed.json": category(colour)]).seeds[0].wasSkipped)
      #expect(try way.seed(store, ["seed.json": category(colour)]).seeds[0].wasSkipped)
      #expect(try store.values("Category", "colorAsHex") == [colour])
    }
    let ledger = SeedLedger(metadata: store.metadata)
    #expect(ledger.entries.map(\.order) == [3, 4])
  }

  @Test(
    "a seed with the policy once per name is imported once, whatever its content becomes",
    arguments: SeedWay.allCases
  )
  func once(way: SeedWay) throws {
    let store = try way.store()
    for colour in ["one", "two", "one"] {
      try way.seed(store, ["seed.json": category(colour)], policy: .oncePerName)
    }
    #expect(try store.values("Category", "colorAsHex") == ["one"])
  }

  @Test("files of one name in different folders are two seeds, in one run or in several")
  func folders() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try ["core", "demo"].map { name in
      let inner = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
      let file = inner.appendingPathComponent("seed.json")
      try Data("{\"tags\": [{\"name\": \"\(name)\"}]}".utf8).write(to: file)
      return file
    }
    let store = try TestStore()
    for file in files {
      let report = try Seeder(.file(file), policy: .oncePerName).runAndWait(in: store.coordinator)
      #expect(!report.seeds[0].wasSkipped)
    }
    #expect(try store.values("Tag", "name") == ["core", "demo"])
    let again = try Seeder(files.map { .file($0) }).runAndWait(in: store.coordinator)
    #expect(again.seeds.map(\.name) == ["core/seed.json", "demo/seed.json"])
    #expect(again.seeds.map(\.wasSkipped) == [true, true])
  }

  @Test(
    "a seed file is identified by its path as it was given",
    arguments: [
      ("seed.json", "seed.json"), ("seeds/core/seed.json", "seeds/core/seed.json"),
      ("./seeds/seed.json", "seeds/seed.json"), ("../other/seed.json", "other/seed.json"),
      ("/somewhere/seeds/seed.json", "seeds/seed.json"), ("/seed.json", "seed.json"),
    ]
  )
  func name(path: String, name: String) {
    #expect(SeedSource.file(URL(fileURLWithPath: path)).name == name)
  }

  @Test("equal content in a file of the same name in another folder is the same seed")
  func moved() throws {
    let store = try TestStore()
    let way = SeedWay.oneSave
    try way.seed(store, ["one/seed.json": category("one")])
    #expect(try way.seed(store, ["two/seed.json": category("one")]).seeds[0].wasSkipped)
    #expect(try !way.seed(store, ["two/seed.json": category("two")]).seeds[0].wasSkipped)
    #expect(try !way.seed(store, ["three/seed.json": category("one")]).seeds[0].wasSkipped)
  }

  @Test("ledgers without an order are read in the order of their dates")
  func olderAccount() throws {
    let store = try TestStore()
    let way = SeedWay.oneSave
    for colour in ["one", "two"] { try way.seed(store, ["seed.json": category(colour)]) }
    var metadata = store.metadata
    var seeds = try #require(metadata["PerennialSeeds"] as? [String: [String: [String: Any]]])
    for (hash, var entry) in seeds["seed.json"] ?? [:] {
      for key in ["order", "made", "shared"] { entry[key] = nil }
      seeds["seed.json"]?[hash] = entry
    }
    metadata["PerennialSeeds"] = seeds
    store.coordinator.setMetadata(metadata, for: try #require(store.coordinator.persistentStores.first))
    #expect(try way.seed(store, ["folder/seed.json": category("two")]).seeds[0].wasSkipped)
    #expect(try !way.seed(store, ["seed.json": category("one")]).seeds[0].wasSkipped)
  }

  @Test("two seeds of one name with different content are an error, and nothing is imported")
  func sameName() throws {
    let store = try TestStore()
    let error = #expect(throws: SeedError.self) {
      try SeedWay.oneSave.seed(store, ["seed.json": category("one"), "seed.json": category("two")])
    }
    #expect(error?.code == .wrongPlan)
    #expect(try store.count("Category") == 0)
  }

  @Test(
    "an import by another process is respected, in both directions",
    arguments: [SeedWay.transaction, .pieces]
  )
  func processes(way: SeedWay) throws {
    let store = try way.store()
    let other = try TestStore(opening: try #require(store.url))
    for (opened, colour, isSkipped) in [
      (store, "one", false), (other, "one", true), (other, "two", false), (store, "two", true),
      (other, "one", false), (store, "two", false), (other, "two", true),
    ] {
      #expect(try way.seed(opened, ["seed.json": category(colour)]).seeds[0].wasSkipped == isSkipped)
      #expect(try store.values("Category", "colorAsHex") == [colour])
    }
  }

  @Test("a damaged or foreign ledger does not prevent an import", arguments: 0..<6)
  func damagedAccount(kind: Int) throws {
    let damaged: Any =
      switch kind {
      case 0: Data()
      case 1: Data([1, 2, 3])
      case 2: "text"
      case 3: ["properties": [String](), "rows": Data()] as [String: Any]
      case 4: ["properties": ["name"], "rows": Data([1, 2, 3, 4, 5, 6, 7, 8, 9])] as [String: Any]
      default: ["properties": 1] as [String: Any]
      }
    let store = try TestStore()
    let way = SeedWay.oneSave
    try way.seed(store, ["seed.json": category("one")], mode: .merge)
    var metadata = store.metadata
    var seeds = try #require(metadata["PerennialSeeds"] as? [String: [String: [String: Any]]])
    for (hash, var entry) in seeds["seed.json"] ?? [:] {
      for key in ["made", "shared", "values"] { entry[key] = ["Category": damaged] }
      seeds["seed.json"]?[hash] = entry
    }
    metadata["PerennialSeeds"] = seeds
    store.coordinator.setMetadata(metadata, for: try #require(store.coordinator.persistentStores.first))
    try way.seed(store, ["seed.json": category("two")], mode: .merge) {
      $0.conflictPolicy = .takeSeed
      $0.pruning = .own
    }
    #expect(try store.values("Category", "colorAsHex") == ["two"])
  }
}
