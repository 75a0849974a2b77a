import CoreData
import Foundation
import Synchronization
import Testing

/// A program that saves notes until the store refuses a save.
private final class Server: Sendable {
  private let saved = Mutex<(count: Int, error: NSError?)>((0, nil))
  private let begun = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Opens the store, and saves on its own thread.
  init(_ model: NSManagedObjectModel, _ file: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: nil
    )
    Thread.detachNewThread { [self] in
      defer { ended.signal() }
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      do {
        while true { try context.performAndWait { try save(in: context) } }
      } catch {
        saved.withLock { $0.error = error as NSError }
        begun.signal()
      }
      for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }
  }

  private func save(in context: NSManagedObjectContext) throws {
    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    note.setValue("\(saved.withLock { $0.count })", forKey: "title")
    try context.save()
    let count = saved.withLock { saved in
      saved.count += 1
      return saved.count
    }
    if count == 10 { begun.signal() }
  }

  func waitForSaves() { begun.wait() }

  /// Waits until a save is refused.
  /// - Returns: The number of successful saves, and the error.
  func end() -> (count: Int, error: NSError?) {
    ended.wait()
    return saved.withLock { $0 }
  }
}

@Suite(
  "perennial migrate of a store that a server has open",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct MigrateServedStoreTests {
  private static let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
  private static let rank = #"<attribute name="rank" attributeType="Integer 16" defaultValueString="5"/>"#

  @Test(
    "perennial migrate loses no acknowledged save of a server, and the server's next save is refused"
  )
  func served() throws {
    let program = try Program()
    for (name, properties) in [("Old", Self.title), ("New", Self.title + Self.rank)] {
      try program.write(
        "<model><entity name=\"Note\">\(properties)</entity></model>",
        to: "\(name).xcdatamodel/contents"
      )
    }
    let models = try ["Old", "New"].map {
      try NSManagedObjectModel.load(contentsOf: program.folder.appendingPathComponent("\($0).xcdatamodel"))
    }
    let file = program.folder.appendingPathComponent("Served.sqlite")
    let server = try Server(models[0], file)
    server.waitForSaves()
    let outcome = try program.run("migrate", "Served.sqlite", "--to", "New.xcdatamodel")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("Served.sqlite is migrated\n"))
    let (count, error) = server.end()
    #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
    #expect(
      error?.localizedDescription.contains("was migrated, replaced or emptied by another program") == true
    )
    let fetched = try program.run(
      "fetch",
      "Served.sqlite",
      "Note",
      "--model",
      "New.xcdatamodel",
      "--format",
      "csv"
    )
    #expect(fetched.output.split(separator: "\n").count - 1 == count, "\(fetched.errors)")
    #expect(count >= 10)
  }

  @Test(
    "perennial migrate without the old model's file loses nothing unless that is allowed",
    arguments: [[], ["--dry-run"]]
  )
  func downgrade(_ more: [String]) throws {
    let program = try Program()
    try program.seed()
    try FileManager.default.createDirectory(
      at: program.folder.appendingPathComponent("models"),
      withIntermediateDirectories: true
    )
    try FileManager.default.moveItem(
      at: program.folder.appendingPathComponent("Notes.xcdatamodeld"),
      to: program.folder.appendingPathComponent("models/Notes.xcdatamodeld")
    )
    try program.write(
      "<model><entity name=\"Note\">\(Self.title)</entity></model>",
      to: "models/Old.xcdatamodel/contents"
    )
    let file = program.folder.appendingPathComponent("Notes.sqlite")
    let before = try Data(contentsOf: file)
    let migrate = ["migrate", "Notes.sqlite", "--to", "models/Old.xcdatamodel"] + more
    let refused = try program.run(migrate)
    #expect(refused.status == 1)
    #expect(refused.errorLines.count == 1)
    for words in ["Notes.sqlite", "the objects of Category", "--from", "--allow-downgrade"] {
      #expect(refused.errors.contains(words), "\(refused.errors)")
    }
    #expect(try Data(contentsOf: file) == before)
    let rehearsal = more.isEmpty ? ["--dry-run"] : []
    let from = ["--from", "models/Notes.xcdatamodeld"]
    let unnamed = try program.run(migrate + from + rehearsal)
    #expect(unnamed.status == 1 && unnamed.errors.contains("--drop Category"), "\(unnamed.errors)")
    let known = try program.run(migrate + from + rehearsal + Program.dropping)
    #expect(known.status == 0, "\(known.errors)")
    let allowed = try program.run(migrate + ["--allow-downgrade"])
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(try (Data(contentsOf: file) == before) == !more.isEmpty)
  }

  @Test("perennial migrate without the old model's file succeeds if nothing is lost")
  func upgrade() throws {
    let program = try Program()
    try program.write(
      "<model><entity name=\"Note\">\(Self.title)</entity></model>",
      to: "a/Old.xcdatamodel/contents"
    )
    try program.write(
      "<model><entity name=\"Note\">\(Self.title)\(Self.rank)</entity></model>",
      to: "a/New.xcdatamodel/contents"
    )
    try program.write(#"{"notes": [{"title": "a"}]}"#, to: "one.json")
    let seeded = try program.run("seed", "a/Old.xcdatamodel", "one.json", "--store", "One.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    let outcome = try program.run("migrate", "One.sqlite", "--to", "a/New.xcdatamodel")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let fetched = try program.run(
      "fetch",
      "One.sqlite",
      "Note",
      "--model",
      "a/New.xcdatamodel",
      "--format",
      "csv"
    )
    #expect(fetched.output.contains("5"), "\(fetched.errors)")
  }
}
