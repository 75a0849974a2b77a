import Foundation
import Testing

@testable import CoreData

@Suite("The log files that reading a SQLite store leaves")
struct SQLiteReadTracesTests {
  private let folder: TemporaryFolder
  private let file: URL

  /// Makes a store with one note, and closes it.
  init() throws {
    folder = try TemporaryFolder()
    file = folder.file()
    let context = try open(readOnly: false)
    _ = context.note("one")
    try context.save()
    try close(context)
  }

  private func open(readOnly: Bool) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: [NSReadOnlyPersistentStoreOption: readOnly]
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func close(_ context: NSManagedObjectContext) throws {
    let coordinator = try #require(context.persistentStoreCoordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  private func read(_ context: NSManagedObjectContext) throws {
    #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 1)
  }

  /// The suffixes of the files next to the store.
  private var logs: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { $0 != file.lastPathComponent }
        .map { String($0.dropFirst(file.lastPathComponent.count)) }.sorted()
    }
  }

  @Test("log files that reading created are removed, and the store's file is unchanged")
  func removed() throws {
    let before = try Data(contentsOf: file)
    #expect(try logs == [])
    let traces = SQLiteReadTraces(of: file)
    let context = try open(readOnly: true)
    try read(context)
    try close(context)
    #expect(try logs == ["-shm", "-wal"])
    traces.remove()
    #expect(try logs == [])
    #expect(try Data(contentsOf: file) == before)
    // There is nothing left to remove.
    traces.remove()
    #expect(try logs == [])
  }

  @Test("log files stay as long as another connection reads the store")
  func used() throws {
    let traces = SQLiteReadTraces(of: file)
    let context = try open(readOnly: true)
    try read(context)
    traces.remove()
    #expect(try logs == ["-shm", "-wal"])
    try read(context)
    try close(context)
    traces.remove()
    #expect(try logs == [])
  }

  @Test("log files that existed before reading stay")
  func older() throws {
    let context = try open(readOnly: true)
    try read(context)
    try close(context)
    SQLiteReadTraces(of: file).remove()
    #expect(try logs == ["-shm", "-wal"])
  }

  @Test("log files stay if the log contains a change that was saved meanwhile")
  func written() throws {
    let traces = SQLiteReadTraces(of: file)
    let writing = try open(readOnly: false)
    _ = writing.note("two")
    try writing.save()
    traces.remove()
    #expect(try logs == ["-shm", "-wal"])
    try close(writing)
    let reading = try open(readOnly: true)
    #expect(try reading.count(for: NSFetchRequest<Note>(entityName: "Note")) == 2)
    try close(reading)
  }

  @Test("a store in memory is not searched for log files")
  func nothing() throws {
    for place in ["/dev/null", "/dev/null/Shared", folder.file("nothing.sqlite").path, folder.url.path] {
      SQLiteReadTraces(of: URL(fileURLWithPath: place)).remove()
    }
    #expect(try logs == [])
  }
}
