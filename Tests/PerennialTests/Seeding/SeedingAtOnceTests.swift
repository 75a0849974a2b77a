import CoreData
import Foundation
import SQLiteDriver
import Seeding
import Testing

@Suite(
  "Two processes that seed at once",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct SeedingAtOnceTests {
  private let program: Program

  init() throws { program = try Program() }

  private struct Started {
    let process = Process()
    let output = Pipe()
    let errors = Pipe()

    /// The output, or the errors after a failure. The few lines fit into the pipe's buffer. Progress goes to the errors, too.
    func finish() -> String {
      process.waitUntilExit()
      let texts = [output, errors].map { pipe in
        String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      }
      return process.terminationStatus == 0 ? texts[0] : texts[1]
    }
  }

  private func start(_ seed: String, _ store: String) throws -> Started {
    let started = Started()
    started.process.executableURL = Program.url
    // The process that seeds second reports all records as unchanged, and not as skipped.
    started.process.arguments = ["seed", "Notes.xcdatamodeld", seed, "--store", store]
    started.process.currentDirectoryURL = program.folder
    started.process.standardOutput = started.output
    started.process.standardError = started.errors
    try started.process.run()
    return started
  }

  private func seedAtOnce(_ seed: String, _ store: String) throws -> [String] {
    let started = try (0..<2).map { _ in try start(seed, store) }
    return started.map { $0.finish() }.sorted()
  }

  /// The number of rows that a query counts, without Core Data.
  private func count(_ sql: String, in store: String) throws -> Int? {
    let queue = try SQLiteConnection(path: program.folder.appendingPathComponent(store).path)
    defer { try? queue.close() }
    return try queue.read { try Int.fetchOne($0, sql: sql) }
  }

  private func ledger(of store: String) throws -> [SeedLedger.Entry] {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType,
      at: program.folder.appendingPathComponent(store),
      options: nil
    )
    return SeedLedger(metadata: metadata).entries
  }

  @Test("two concurrent processes seed once, even if neither finds a store", arguments: 0..<5)
  func small(round: Int) throws {
    let store = "Small\(round).sqlite"
    let created = "Category: 6 created\nNote: 36 created\nTag: 8 created\n"
    let skipped =
      "seed.json is in the store already; --always takes it in again\nCategory: 6 skipped\nNote: 36 skipped\nTag: 8 skipped\n"
    #expect(try seedAtOnce("seed.json", store) == [created, skipped])
    #expect(try count("SELECT COUNT(*) FROM ZNOTE", in: store) == 36)
    #expect(try count("SELECT COUNT(DISTINCT ZTITLE) FROM ZNOTE", in: store) == 36)
    #expect(try ledger(of: store).map(\.name) == ["seed.json"])
  }

  @Test("two concurrent processes seed once, even in a chunked import", arguments: 0..<2)
  func large(round: Int) throws {
    let (store, number) = ("Large\(round).sqlite", 20_500)
    let lines = (0..<number).map { "{\"title\": \"n\($0)\", \"contents\": \"text\"}" }
    try program.write(lines.joined(separator: "\n"), to: "notes.jsonl")
    #expect(
      try seedAtOnce("notes.jsonl", store) == [
        "Note: \(number) created\n",
        "notes.jsonl is in the store already; --always takes it in again\nNote: \(number) skipped\n",
      ]
    )
    #expect(try count("SELECT COUNT(*) FROM ZNOTE", in: store) == number)
    #expect(try count("SELECT COUNT(DISTINCT ZTITLE) FROM ZNOTE", in: store) == number)
    #expect(try ledger(of: store).map(\.records) == [["Note": number]])
  }
}
