import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Files of large values that a killed process has left")
struct LeftFilesTests {
  private let folder: TemporaryFolder
  private let model: NSManagedObjectModel
  private var external: ExternalDataFolder { ExternalDataFolder(store: folder.file()) }

  private static let big = Data(repeating: 7, count: 200_000)

  init() throws {
    folder = try TemporaryFolder()
    model = TestModel.make()
    model.entitiesByName["Note"]?.attributesByName["body"]?.allowsExternalBinaryDataStorage = true
  }

  private func open(_ options: [AnyHashable: Any] = [:]) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: folder.file(), options: options)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func close(_ context: NSManagedObjectContext) throws {
    let coordinator = try #require(context.persistentStoreCoordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  private func add(_ title: String, in context: NSManagedObjectContext) throws {
    let note = Note(context: context)
    note.title = title
    note.setValue(Self.big, forKey: "body")
    try context.save()
  }

  /// Makes a store with one note, and leaves a file and a marker as a process does that is killed before its commit.
  private func leave() throws -> (kept: [String], left: String) {
    let context = try open()
    try add("kept", in: context)
    try close(context)
    let kept = external.names
    #expect(kept.count == 1)
    return (kept, try leaveFile())
  }

  private func leaveFile() throws -> String {
    var marker: ExternalDataMarker?
    let left = try external.store(Self.big, marker: &marker).name
    let name = try #require(marker).name
    #expect(external.markers == [name])
    return try #require(left)
  }

  @Test("opening a store for writing removes leftover files, and keeps those of rows")
  func opened() throws {
    let (kept, _) = try leave()
    let context = try open()
    #expect(external.names == kept && external.markers.isEmpty)
    let note = try #require(try context.fetch(NSFetchRequest<Note>(entityName: "Note")).first)
    #expect(note.value(forKey: "body") as? Data == Self.big)
  }

  @Test("leftover files are also removed in another journal mode")
  func rollbackJournal() throws {
    let (kept, _) = try leave()
    _ = try open([NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
    #expect(external.names == kept && external.markers.isEmpty)
  }

  @Test("leftover files stay if the store is opened read-only")
  func readOnly() throws {
    let (kept, left) = try leave()
    _ = try open([NSReadOnlyPersistentStoreOption: true])
    #expect(external.names == (kept + [left]).sorted() && external.markers.count == 1)
  }

  @Test("leftover files stay while another process writes, because it may commit a row for them")
  func written() throws {
    let (kept, left) = try leave()
    let lock = try ForeignLock(folder.file())
    let context = try open()
    #expect(external.names == (kept + [left]).sorted() && external.markers.count == 1)
    try lock.release()
    try close(context)
    _ = try open()
    #expect(external.names == kept && external.markers.isEmpty)
  }

  @Test("leftover files stay while another process reads an earlier state")
  func read() throws {
    let (kept, left) = try leave()
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let reader = try SQLiteConnection(path: folder.file().path, configuration: configuration)
    try reader.use { try $0.execute(sql: "BEGIN; SELECT COUNT(*) FROM ZNOTE") }
    try folder.execute("UPDATE ZNOTE SET ZTITLE = 'later'")
    let context = try open()
    #expect(external.names == (kept + [left]).sorted() && external.markers.count == 1)
    try reader.use { try $0.execute(sql: "ROLLBACK") }
    try reader.close()
    try close(context)
    _ = try open()
    #expect(external.names == kept && external.markers.isEmpty)
  }

  @Test("leftover files stay if another store shares the folder")
  func shared() throws {
    let (kept, left) = try leave()
    let other = NSPersistentStoreCoordinator(managedObjectModel: model)
    try other.addPersistentStore(type: .sqlite, at: folder.file("store.other"))
    _ = try open()
    #expect(external.names == (kept + [left]).sorted() && external.markers.count == 1)
  }

  /// The statements that look for file names in the rows.
  private func scans(_ recorder: StatementRecorder) -> [String] {
    recorder.statements.map(\.sql).filter {
      $0.contains("length(") && $0.contains("typeof(") && !$0.contains("Z_METADATA")
    }
  }

  @Test("a marker without its file is removed without a query of the rows")
  func goneFiles() throws {
    let (kept, left) = try leave()
    external.remove([left])
    let recorder = StatementRecorder(folder.url)
    _ = try open()
    #expect(scans(recorder) == [])
    #expect(external.names == kept && external.markers.isEmpty)
  }

  @Test("only an opening that can remove leftover files queries the rows for them")
  func scanned() throws {
    let (kept, left) = try leave()
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let reader = try SQLiteConnection(path: folder.file().path, configuration: configuration)
    try reader.use { try $0.execute(sql: "BEGIN; SELECT COUNT(*) FROM ZNOTE") }
    try folder.execute("UPDATE ZNOTE SET ZTITLE = 'later'")
    let recorder = StatementRecorder(folder.url)
    try close(open())
    #expect(scans(recorder) == [])
    #expect(external.names == (kept + [left]).sorted() && external.markers.count == 1)
    try reader.use { try $0.execute(sql: "ROLLBACK") }
    try reader.close()
    try close(open())
    #expect(!scans(recorder).isEmpty)
    #expect(external.names == kept && external.markers.isEmpty)
  }

  @Test("a committed or failed save leaves no marker")
  func markers() throws {
    let context = try open()
    try add("one", in: context)
    #expect(external.markers.isEmpty && external.names.count == 1)
    let note = Note(context: context)
    note.setValue(Self.big, forKey: "body")
    try folder.execute("CREATE TRIGGER no BEFORE INSERT ON ZNOTE BEGIN SELECT RAISE(ABORT, 'no'); END")
    note.title = "two"
    #expect(throws: NSError.self) { try context.save() }
    #expect(external.markers.isEmpty && external.names.count == 1)
  }

  @Test("a transaction of many saves has one marker while it runs, and none after it")
  func transaction() throws {
    let context = try open()
    let coordinator = try #require(context.persistentStoreCoordinator)
    let external = self.external
    try coordinator.performTransaction { context in
      for title in ["one", "two"] {
        let note = Note(context: context)
        note.title = title
        note.setValue(Self.big, forKey: "body")
        try context.save()
        #expect(!external.markers.isEmpty)
      }
    }
    #expect(external.markers.isEmpty && external.names.count == 2)
  }

  @Test("destroying a store removes leftover files")
  func destroyed() throws {
    _ = try leave()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.destroyPersistentStore(at: folder.file(), type: .sqlite)
    #expect(!FileManager.default.fileExists(atPath: external.support.path))
  }
}
