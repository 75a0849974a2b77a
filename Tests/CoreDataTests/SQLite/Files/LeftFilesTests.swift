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

  /// Makes a store with one note, and a file and a marker as a process leaves them that is killed before its commit.
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

  @Test("go when the store is opened to be written, and those of rows stay")
  func opened() throws {
    let (kept, _) = try leave()
    let context = try open()
    #expect(external.names == kept && external.markers.isEmpty)
    let note = try #require(try context.fetch(NSFetchRequest<Note>(entityName: "Note")).first)
    #expect(note.value(forKey: "body") as? Data == Self.big)
  }

  @Test("go in another journal mode, too")
  func rollbackJournal() throws {
    let (kept, _) = try leave()
    _ = try open([NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
    #expect(external.names == kept && external.markers.isEmpty)
  }

  @Test("stay when the store is only read")
  func readOnly() throws {
    let (kept, left) = try leave()
    _ = try open([NSReadOnlyPersistentStoreOption: true])
    #expect(external.names == (kept + [left]).sorted() && external.markers.count == 1)
  }

  @Test("stay while another process writes, which may be about to commit a row that names them")
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

  @Test("stay while another process reads a state of before the last commit")
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

  @Test("stay where another store has the folder, too")
  func shared() throws {
    let (kept, left) = try leave()
    let other = NSPersistentStoreCoordinator(managedObjectModel: model)
    try other.addPersistentStore(type: .sqlite, at: folder.file("store.other"))
    _ = try open()
    #expect(external.names == (kept + [left]).sorted() && external.markers.count == 1)
  }

  /// The statements that look for names of files in the rows.
  private func scans(_ recorder: StatementRecorder) -> [String] {
    recorder.statements.map(\.sql).filter { $0.contains("length(") && $0.contains("typeof(") }
  }

  @Test("that are gone leave a marker that is removed without a look at the rows")
  func goneFiles() throws {
    let (kept, left) = try leave()
    external.remove([left])
    let recorder = StatementRecorder(folder.url)
    _ = try open()
    #expect(scans(recorder) == [])
    #expect(external.names == kept && external.markers.isEmpty)
  }

  @Test("are looked for in the rows by the opening alone that can remove them")
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

  @Test("have no marker once a save is committed, or has failed")
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

  @Test("have one marker while a transaction of many saves runs, and none after it")
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

  @Test("go with the store that is destroyed")
  func destroyed() throws {
    _ = try leave()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.destroyPersistentStore(at: folder.file(), type: .sqlite)
    #expect(!FileManager.default.fileExists(atPath: external.support.path))
  }
}
