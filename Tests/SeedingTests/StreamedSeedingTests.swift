import CoreData
import Deflate
import Foundation
import Synchronization
import TestModels
import Testing

@testable import Seeding

@Suite("Seeds that are larger than a chunk")
struct StreamedSeedingTests {
  private static let many = Seeder.manyRecords

  private func notes(_ range: Range<Int>, contents: String = "text") -> String {
    range.map { number in
      """
      {"$entity": "notes", "title": "note \(number)", "contents": "\(contents)", "createdAt": \(number), \
      "category": "c\(number % 3)", "tags": ["t\(number % 5)", "t\(number % 7)"]}\n
      """
    }.joined()
  }

  private var others: String {
    (0..<3).map { "{\"$entity\": \"categories\", \"name\": \"c\($0)\"}\n" }.joined()
      + (0..<7).map { "{\"$entity\": \"tags\", \"name\": \"t\($0)\"}\n" }.joined()
  }

  private func seed(
    _ store: TestStore,
    _ text: String,
    mode: SeedMode = .upsert,
    pruning: SeedPruning = .none,
    policy: SeedPolicy = .always
  ) throws -> SeedReport {
    var seeder = Seeder(.data(Data(text.utf8), name: "seed.jsonl"), mode: mode, policy: policy).inPieces
    seeder.pruning = pruning
    return try seeder.runAndWait(in: store.coordinator)
  }

  @Test("a chunked import gives the same store in any order of the records, and as a single save")
  func order() throws {
    let lines = try [others + notes(0..<Self.many), notes(0..<Self.many) + others].map { text in
      let store = try TestStore(.sqlite)
      let report = try seed(store, text)
      #expect(report.description == "Category: 3 created\nNote: \(Self.many) created\nTag: 7 created")
      return try store.noteLines()
    }
    let whole = try TestStore(.inMemory)
    _ = try seed(whole, others + notes(0..<Self.many))
    #expect(try lines == [whole.noteLines(), whole.noteLines()])
  }

  @Test("a chunked import uses chunks of the limit's size, and several saves in one transaction")
  func limit() throws {
    let usual = Seeder()
    #expect((usual.mostRecordsAtOnce, usual.recordsInPiece) == (20_000, 4000))
    let limit = usual.inPieces.mostRecordsAtOnce
    let saves = try [limit - 1, limit].map { count in
      let store = try TestStore(.sqlite)
      let saves = Mutex(0)
      let observer = NotificationCenter.default.addObserver(
        forName: NSManagedObjectContext.willSaveObjectsNotification,
        object: nil,
        queue: nil
      ) { [coordinator = store.coordinator] notification in
        let context = notification.object as? NSManagedObjectContext
        if context?.persistentStoreCoordinator === coordinator { saves.withLock { $0 += 1 } }
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      let tags = (0..<count).map { "{\"name\": \"t\($0)\"}\n" }.joined()
      let seeder = Seeder(.data(Data(tags.utf8), name: "tags.jsonl")).inPieces
      #expect(try seeder.runAndWait(in: store.coordinator).description == "Tag: \(count) created")
      return saves.withLock { $0 }
    }
    #expect(saves == [1, 6])
  }

  @Test("a chunked import changes nothing the second time, and later only the differences")
  func again() throws {
    let store = try TestStore(.sqlite)
    let first = others + notes(0..<Self.many)
    _ = try seed(store, first)
    #expect(
      try seed(store, first).description
        == "Category: 3 unchanged\nNote: \(Self.many) unchanged\nTag: 7 unchanged"
    )
    let changed = notes(0..<100, contents: "changed") + notes(100..<Self.many)
    let report = try seed(store, changed)
    #expect(report.description == "Note: 100 updated, \(Self.many - 100) unchanged")
    #expect(try store.values("Note", "contents").count { $0 == "changed" } == 100)
  }

  @Test("a chunked import leaves the store unchanged if one of the last records is wrong")
  func wrong() throws {
    let store = try TestStore(.sqlite)
    try store.seed("{\"tags\": [{\"name\": \"before\"}]}")
    let texts = [
      ("{\"$entity\": \"notes\"}\n", SeedError.Code.invalidObject, nil as String?),
      ("{\"$entity\": \"notes\", \"title\": \"x\", \"tags\": \"none\"}\n", .unknownReference, "tags"),
      ("{\"$entity\": \"notes\", \"title\": \"note 7\"}\n", .ambiguousKey, "title"),
      ("{\"$entity\": \"notes\", \"titel\": \"x\"}\n", .unknownKey, "titel"),
      ("{\"$entity\": \"notes\", \"title\": \"x\"\n", .brokenText, nil),
    ]
    for (text, code, key) in texts {
      let error = #expect(throws: SeedError.self) {
        try seed(store, others + notes(0..<Self.many) + text, policy: .oncePerContent)
      }
      #expect(error?.code == code)
      #expect(error?.position?.line == 10 + Self.many + 1)
      if let key { #expect(error?.position?.key == key) }
      #expect(try store.count("Note") == 0)
      #expect(try store.values("Tag", "name") == ["before"])
      #expect(SeedLedger(metadata: store.metadata).entries.map(\.name) == ["seed.json"])
    }
  }

  @Test("records of a chunked import can refer to each other in cycles, over any distance")
  func circle() throws {
    let person = makeEntity("Person", makeAttribute("name", .stringAttributeType))
    relate(person, "friend", isToMany: false, person, "friends", isToMany: true)
    let store = try TestStore(.sqlite, makeModel([person]) { _ in })
    let count = Self.many
    let text = (0..<count).map { number in
      "{\"$entity\": \"people\", \"name\": \"p\(number)\", \"friend\": \"p\((number + 1) % count)\"}\n"
    }.joined()
    #expect(try seed(store, text).description == "Person: \(count) created")
    #expect(try seed(store, text).description == "Person: \(count) unchanged")
    let context = store.newContext()
    let (lonely, friend) = try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.predicate = NSPredicate(format: "friend == NULL")
      let lonely = try context.count(for: request)
      request.predicate = NSPredicate(format: "name == 'p\(count - 1)'")
      return (lonely, try context.fetch(request).first?.value(forKeyPath: "friend.name") as? String)
    }
    #expect(lonely == 0)
    #expect(friend == "p0")
  }

  @Test("chunked imports follow their mode and their pruning")
  func modes() throws {
    // More objects than one save deletes.
    let many = 4100
    let store = try TestStore(.sqlite)
    _ = try seed(store, others + notes(0..<many))
    let changed = notes(10..<many + 10, contents: "changed")
    #expect(
      try seed(store, changed, mode: .createOnly).description == "Note: 10 created, \(many - 10) skipped"
    )
    #expect(
      try seed(store, changed, pruning: .all).description
        == "Note: \(many - 10) updated, 10 unchanged, 10 deleted"
    )
    #expect(try store.count("Note") == many)
    #expect(
      try seed(store, changed, mode: .replace).description
        == "Note: \(many) created, \(many) deleted"
    )
    _ = try seed(store, "{\"$keys\": {\"notes\": []}}\n" + changed)
    #expect(try store.count("Note") == 2 * many)
    #expect(try store.count("Tag") == 7)
  }

  @Test("a chunked import reports its progress, and stops when it is cancelled")
  func progress() throws {
    let store = try TestStore(.sqlite)
    let text = Data((others + notes(0..<Self.many)).utf8)
    let cancelled = Progress(totalUnitCount: 0)
    cancelled.cancel()
    let seeder = Seeder(.data(text, name: "seed.jsonl")).inPieces
    let error = #expect(throws: SeedError.self) {
      try seeder.runAndWait(in: store.coordinator, progress: cancelled)
    }
    #expect(error?.code == .cancelled)
    #expect(try store.count("Note") == 0)
    let progress = Progress(totalUnitCount: 0)
    try seeder.runAndWait(in: store.coordinator, progress: progress)
    #expect(progress.isFinished)
    #expect(progress.totalUnitCount >= Int64(text.count))
  }
}

@Suite("Reading seeds in blocks")
struct SeedBlockTests {
  private func records(_ text: Data, _ name: String, blockSize: Int) throws -> [SeedRecord] {
    let seed = LoadedSeed(name: name, file: name, data: text)
    var reader = try seed.reading(blockSize: blockSize).records
    var records: [SeedRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }

  private static let texts: [(name: String, text: String)] = [
    (
      "seed.json",
      """
      {"tags": [{"name": "a\\u00e9\\"b"}, {"name": "ü"}], "none": [],
       "notes": [{"title": "x", "createdAt": -1.5e3, "isPinned": true, "tags": ["a", "b"], "category": null}]}

      """
    ),
    (
      "notes.jsonl", "{\"title\": \"a\"}\n\n{\"$entity\": \"tags\", \"name\": \"ü\\n\"}\r\n{\"title\": \"b\"}"
    ),
    ("notes.csv", "title;contents\na;\"x\ny;\"\"z\"\"\"\r\n\nb;\n"),
  ]

  @Test("a seed gives the same records wherever its blocks end", arguments: texts)
  func blocks(_ name: String, _ text: String) throws {
    let whole = try records(Data(text.utf8), name, blockSize: 1 << 20)
    #expect(!whole.isEmpty)
    for size in 1..<text.utf8.count {
      let parts = try records(Data(text.utf8), name, blockSize: size)
      #expect(parts.map(\.fields) == whole.map(\.fields))
      #expect(parts.map(\.position) == whole.map(\.position))
    }
  }

  @Test("a seed gives the same error at the same position wherever its blocks end")
  func faults() throws {
    for text in [
      "{\"tags\": [{\"name\": \"é\"},\n {\"name\": tru}]}", "{\"tags\": [{\"é\": 1,}]}", "{\"tags\": []} x",
    ] {
      for size in 1..<text.utf8.count {
        let error = #expect(throws: SeedError.self) {
          try records(Data(text.utf8), "seed.json", blockSize: size)
        }
        let whole = #expect(throws: SeedError.self) {
          try records(Data(text.utf8), "seed.json", blockSize: 1 << 20)
        }
        #expect(error?.description == whole?.description)
      }
    }
  }

  @Test("gzip is expanded in blocks, also with several members, and refused if it is cut off")
  func compressed() throws {
    let lines = (0..<20_000).map { "{\"title\": \"note \($0)\"}\n" }
    let halves = [lines[..<9000].joined(), lines[9000...].joined()]
    let text = try halves.map { try Deflate.compressed(Data($0.utf8), wrapping: .gzip) }.reduce(Data(), +)
    #expect(try records(text, "notes.jsonl.gz", blockSize: 1000).count == 20_000)
    let error = #expect(throws: SeedError.self) {
      try records(text.dropLast(5), "notes.jsonl.gz", blockSize: 1000)
    }
    #expect(error?.code == .brokenText)
  }
}
