import CoreData
import Foundation
import Synchronization
import Testing

/// Repeatedly gives all notes the same new title, on its own thread.
private final class TitleWriter: Sendable {
  private let coordinator: NSPersistentStoreCoordinator
  private let isStopped = Mutex(false)
  private let failure = Mutex<(any Error)?>(nil)
  private let saves = DispatchSemaphore(value: 0)
  private let end = DispatchSemaphore(value: 0)

  init(_ coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

  func start() { Thread { self.run() }.start() }

  private func run() {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    do {
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      var number = 0
      while !isStopped.withLock({ $0 }) {
        number += 1
        for note in notes { note.setValue("title \(number)", forKey: "title") }
        try context.save()
        saves.signal()
      }
    } catch {
      failure.withLock { $0 = error }
      saves.signal()
    }
    end.signal()
  }

  /// Waits for the next save.
  func waitForSave() { saves.wait() }

  func stop() throws {
    isStopped.withLock { $0 = true }
    end.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}

@Suite("perennial backup", .enabled(if: Program.url != nil, "the program is not built"))
struct BackupCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.folder.path).filter { name in
      name.contains("backup")
    }.sorted()
  }

  @Test("perennial backup writes the store unchanged, reports it, and replaces a backup on request")
  func backsUp() throws {
    let outcome = try program.run("backup", "Notes.sqlite", "-o", "backup.sqlite")
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    #expect(
      outcome.output.contains(/^backup\.sqlite: \d+ bytes, the store [-0-9A-F]{36} as it was at 20.*Z\n$/)
    )
    let dump = try program.run("dump", "Notes.sqlite").output
    #expect(dump.count > 1000)
    #expect(try program.run("dump", "backup.sqlite").output == dump)
    #expect(try program.run("check", "backup.sqlite").output == "nothing is wrong\n")
    try program.execute("UPDATE ZNOTE SET ZTITLE = 'changed'")
    let again = try program.run("backup", "Notes.sqlite", "-o", "backup.sqlite")
    #expect(again.status == 1 && again.errorLines.count == 1 && again.errors.contains("--replace"))
    #expect(try program.run("dump", "backup.sqlite").output == dump)
    #expect(try program.run("backup", "Notes.sqlite", "-o", "backup.sqlite", "--replace").status == 0)
    #expect(try program.run("dump", "backup.sqlite").output.contains("changed"))
    #expect(try program.run("check", "backup.sqlite").output == "nothing is wrong\n")
  }

  @Test("perennial backup also supports XML and binary stores", arguments: ["xml", "binary"])
  func types(_ type: String) throws {
    #expect(try program.run("copy", "Notes.sqlite", "Notes.\(type)").status == 0)
    let outcome = try program.run("backup", "Notes.\(type)", "-o", "backup.\(type)")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try Data(contentsOf: program.folder.appendingPathComponent("backup.\(type)"))
        == Data(contentsOf: program.folder.appendingPathComponent("Notes.\(type)"))
    )
  }

  @Test("an impossible backup fails with one clear line and writes nothing")
  func failures() throws {
    try program.write("mine", to: "backup.txt")
    for (arguments, word) in [
      (["missing.sqlite", "-o", "backup.sqlite"], "missing.sqlite"),
      (["Notes.sqlite", "-o", "Notes.sqlite", "--replace"], "the store itself"),
      (["Notes.sqlite", "-o", "backup.txt", "--replace"], "not an earlier backup"),
      (["Notes.sqlite", "-o", "no/backup.sqlite"], "no"),
      (["seed.json", "-o", "backup.sqlite"], "seed.json"),
    ] {
      let outcome = try program.run(["backup"] + arguments)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
      #expect(outcome.output == "" && outcome.errors.contains(word), "\(outcome.errors)")
    }
    #expect(try names() == ["backup.txt"])
  }

  @Test("a backup of a store that another process writes is a consistent snapshot")
  func underLoad() throws {
    let file = program.folder.appendingPathComponent("Notes.sqlite")
    let model = try NSManagedObjectModel(cachedIn: file)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options = [NSPersistentHistoryTrackingKey: true]
    let store = try coordinator.addPersistentStore(type: .sqlite, at: file, options: options)
    let writer = TitleWriter(coordinator)
    writer.start()
    for number in 0..<5 {
      writer.waitForSave()
      let outcome = try program.run("backup", "Notes.sqlite", "-o", "backup.sqlite", "--replace")
      #expect(outcome.status == 0, "\(number): \(outcome.errors)")
      let check = try program.run("check", "backup.sqlite")
      #expect(check.status == 0, "\(check.output)")
      let titles = try program.run("fetch", "backup.sqlite", "Note", "--columns", "title", "--format", "csv")
      let lines = titles.output.split(separator: "\n").dropFirst()
      #expect(lines.count == 36 && Set(lines).count == 1, "\(titles.output)")
    }
    try writer.stop()
    try coordinator.remove(store)
  }
}
