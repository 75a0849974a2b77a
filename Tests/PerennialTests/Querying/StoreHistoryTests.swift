import CoreData
import Foundation
import SQLiteDriver
import Testing

@Suite(
  "Commands on a store with a history",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct StoreHistoryTests {
  private static let newer = """
    <entity name="Item" elementID="Note"><attribute name="title" attributeType="String"/></entity>
    """

  private let program: Program
  private var store: URL { program.folder.appendingPathComponent("Notes.sqlite") }

  init() throws {
    program = try Program()
    try program.seed()
    let file = program.folder.appendingPathComponent("Notes.xcdatamodeld")
    let model = try #require(NSManagedObjectModel(contentsOf: file))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addPersistentStore(
      type: .sqlite,
      at: store,
      options: [NSPersistentHistoryTrackingKey: true]
    )
    try coordinator.remove(opened)
  }

  /// The number of transactions and of changes in the history of a store.
  private func history(_ name: String = "Notes.sqlite") throws -> [Int] {
    let queue = try SQLiteConnection(path: program.folder.appendingPathComponent(name).path)
    return try queue.read { database in
      try ["ATRANSACTION", "ACHANGE"].map {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \($0)") ?? -1
      }
    }
  }

  @Test("perennial seed records all of its insertions as one transaction")
  func seed() throws {
    #expect(try history() == [0, 0])
    let tags = #"{"Tag": [{"name": "one"}, {"name": "two"}]}"#
    try program.write(tags, to: "tags.json")
    let outcome = try program.run("seed", "Notes.xcdatamodeld", "tags.json", "--store", "Notes.sqlite")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try history() == [1, 2])
    #expect(try program.run("check", "Notes.sqlite").output == "nothing is wrong\n")
  }

  @Test("perennial copy copies the history into another SQLite store, but not into other types")
  func copy() throws {
    try seed()
    for target in ["copy.sqlite", "copy.xml"] {
      let outcome = try program.run("copy", "Notes.sqlite", target)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try program.run("dump", target).output == program.run("dump", "Notes.sqlite").output)
    }
    #expect(try history("copy.sqlite") == [1, 2])
  }

  @Test("perennial migrate keeps the history of the remaining entities")
  func migrate() throws {
    try seed()
    let folder = program.folder.appendingPathComponent("New.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try program.write("<model>\(Self.newer)</model>", to: "New.xcdatamodel/contents")
    for arguments in [["--dry-run"], []] {
      let outcome = try program.run(
        ["migrate", "Notes.sqlite", "--to", "New.xcdatamodel"] + Program.dropping + arguments
      )
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try history()[0] == 1)
    let listed = try program.run(
      "fetch",
      "Notes.sqlite",
      "Item",
      "--model",
      "New.xcdatamodel",
      "--format",
      "csv"
    )
    #expect(listed.output.split(separator: "\n").count == 37)
  }

  @Test("check, dump, fetch and inspect read it as any other")
  func reading() throws {
    for arguments in [["check", "Notes.sqlite"], ["dump", "Notes.sqlite"], ["inspect", "Notes.sqlite"]] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }
}
