import CoreData
import Foundation
import TestModels
import TestSupport
import Testing

@testable import Seeding

@Suite("Seeding once")
struct SeedOnceTests {
  private let seed = "{\"tags\": [{\"name\": \"News\"}]}"

  @Test(
    "an unchanged seed is skipped, and the report says how many records it has",
    arguments: TestStore.Kind.allCases
  )
  func again(kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    #expect(try store.seed(seed).description == "Tag: 1 created")
    let report = try store.seed(seed)
    #expect(report.description == "Tag: 1 skipped")
    #expect(report.seeds.map(\.wasSkipped) == [true])
    #expect(try store.count("Tag") == 1)
  }

  @Test("a seed with other content or another name is imported")
  func another() throws {
    let store = try TestStore()
    try store.seed(seed)
    #expect(try store.seed("{\"tags\": [{\"name\": \"News\"}, {\"name\": \"Weather\"}]}").total.created == 1)
    #expect(try store.seed(seed, name: "other.json").total.unchanged == 1)
    #expect(try store.seed(seed, name: "other.json").total.skipped == 1)
    #expect(try store.count("Tag") == 2)
  }

  @Test("the ledger is saved with the data and read from the file", arguments: TestStore.Kind.allCases)
  func ledger(kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    try store.seed(seed)
    if kind == .sqlite {
      try store.close()
      let url = try #require(store.url)
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType,
        at: url,
        options: nil
      )
      #expect(SeedLedger(metadata: metadata).entries.count == 1)
      try store.open()
    }
    let entry = try #require(SeedLedger(metadata: store.metadata).entries.first)
    #expect(entry.name == "seed.json")
    #expect(entry.contentHash == "63402202dc7ea9842f2584f7b283c038fa7864a1c4edac5d6ad1da14480117df")
    #expect(entry.records == ["Tag": 1])
    #expect(abs(entry.date?.timeIntervalSinceNow ?? -.infinity) < 60)
    #expect(store.metadata[NSStoreUUIDKey] != nil)
  }

  @Test("a seed that failed is not in the ledger")
  func failure() throws {
    let store = try TestStore()
    #expect(throws: SeedError.self) { try store.seed("{\"tags\": [{\"name\": \"News\"}, {}]}") }
    #expect(SeedLedger(metadata: store.metadata).entries.isEmpty)
    #expect(try store.count("Tag") == 0)
    #expect(try store.seed(seed).total.created == 1)
  }

  @Test("records of entities without a natural key are inserted once, too")
  func withoutKey() throws {
    let model = makeModel([makeEntity("Event", makeAttribute("what", .stringAttributeType))]
    ) { _ in }
    let store = try TestStore(.inMemory, model)
    let seed = "{\"events\": [{\"what\": \"start\"}, {\"what\": \"start\"}]}"
    #expect(try store.seed(seed).total.created == 2)
    #expect(try store.seed(seed).total.skipped == 2)
    #expect(try store.seed(seed, policy: .always).total.created == 2)
  }

  @Test("equal content that is given twice under one name is imported once")
  func doubled() throws {
    let store = try TestStore()
    let source = SeedSource.data(Data(seed.utf8), name: "seed.json")
    let report = try Seeder(source, source).runAndWait(in: store.coordinator)
    #expect(report.total.created == 1)
    #expect(report.seeds.map(\.wasSkipped) == [false, true])
  }

  @Test("a flag in the user defaults is set after success, and also prevents imports of other content")
  func flag() throws {
    let suite = "SeedOnceTests-\(UUID().uuidString)"
    defer { UserDefaults().removePersistentDomain(forName: suite) }
    let policy = SeedPolicy.oncePerFlag(suite: suite)
    let store = try TestStore()

    #expect(throws: SeedError.self) { try store.seed("{\"tags\": [{}]}", policy: policy) }
    #expect(UserDefaults(suiteName: suite)?.bool(forKey: "didSeedPersistentStore") == false)

    #expect(try store.seed(seed, policy: policy).total.created == 1)
    #expect(UserDefaults(suiteName: suite)?.bool(forKey: "didSeedPersistentStore") == true)

    let report = try store.seed("{\"tags\": [{\"name\": \"Weather\"}]}", policy: policy)
    #expect(report.seeds.map(\.wasSkipped) == [true])
    #expect(try store.count("Tag") == 1)
  }
}
