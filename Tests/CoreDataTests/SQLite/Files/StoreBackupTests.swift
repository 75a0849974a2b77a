import CoreData
import Files
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

/// A progress that calls a closure whenever its completed count is set.
private final class ActingProgress: Progress, @unchecked Sendable {
  // Only used on the thread of the backup.
  var act: (ActingProgress) -> Void = { _ in }

  override var completedUnitCount: Int64 {
    didSet { act(self) }
  }
}

@Suite("Backing up a SQLite store")
struct StoreBackupTests {
  private let folder: TemporaryFolder
  private let model: NSManagedObjectModel
  private let coordinator: NSPersistentStoreCoordinator
  private let context: NSManagedObjectContext
  private let recorder: StatementRecorder
  private var store: NSPersistentStore { coordinator.persistentStores[0] }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("backups"),
      withIntermediateDirectories: false
    )
    recorder = StatementRecorder(folder.url)
    model = TestModel.make()
    model.entitiesByName["Note"]?.attributesByName["body"]?.allowsExternalBinaryDataStorage = true
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .sqlite,
      at: folder.file(),
      options: [NSPersistentHistoryTrackingKey: true]
    )
    context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
  }

  private func place(_ name: String = "backup.sqlite") -> URL { folder.file("backups/\(name)") }

  /// The names in a folder next to the store.
  private func list(_ name: String = "backups") -> [String] {
    let path = folder.url.appendingPathComponent(name).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  private func files(_ support: String) -> [String] { list("\(support)/_EXTERNAL_DATA") }

  private func findings(_ file: URL) throws -> [StoreFinding] {
    try SQLiteStoreCheck(store: file, model: model).findings()
  }

  private func titles(_ file: URL) throws -> [String] {
    try folder.query("SELECT ZTITLE FROM ZNOTE ORDER BY ZTITLE", at: file)
  }

  private static let big = Data(repeating: 7, count: 200_000)

  @Test("a backup has the objects, metadata, history and identity, in one file if nothing is large")
  func whole() throws {
    context.note("one")
    var metadata = coordinator.metadata(for: store)
    metadata["own"] = "value"
    coordinator.setMetadata(metadata, for: store)
    try context.save()
    let backup = try coordinator.backUpPersistentStore(store, to: place())
    #expect(list() == ["backup.sqlite"])
    #expect(try findings(place()) == [])
    #expect(try titles(place()) == ["one"])
    #expect(try folder.query("SELECT COUNT(*) FROM ATRANSACTION", at: place()) == [1])
    let found = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: place())
    #expect(found["own"] as? String == "value")
    #expect(found[NSStoreUUIDKey] as? String == store.identifier)
    #expect(backup.identifier == store.identifier && backup.url == place())
    let size = try FileManager.default.attributesOfItem(atPath: place().path)[.size] as? NSNumber
    #expect(backup.byteCount == size?.int64Value && backup.externalFileCount == 0)
    #expect(abs(backup.date.timeIntervalSinceNow) < 600)
  }

  @Test("a backup reads in one transaction, and writes nothing into the store")
  func statements() throws {
    context.note("one").setValue(Self.big, forKey: "body")
    try context.save()
    let count = recorder.statements.count
    try coordinator.backUpPersistentStore(store, to: place())
    let executed = recorder.statements.dropFirst(count).map(\.sql)
    #expect(executed.contains("SELECT ZBODY FROM ZNOTE WHERE length(ZBODY) = 38 AND typeof(ZBODY) = 'blob'"))
    #expect(!executed.contains { $0.hasPrefix("BEGIN IMMEDIATE") || $0.hasPrefix("INSERT") })
    let begin = try #require(executed.lastIndex { $0.hasPrefix("BEGIN") })
    let query = try #require(executed.firstIndex { $0.hasPrefix("SELECT ZBODY") })
    #expect(begin < query)
  }

  @Test("a backup has exactly the external data files that its rows refer to")
  func externalData() throws {
    context.note("large").setValue(Self.big, forKey: "body")
    try context.save()
    let named = files(".store_SUPPORT")
    #expect(named.count == 1)
    let stray = folder.file(".store_SUPPORT/_EXTERNAL_DATA/\(UUID().uuidString)")
    try Data("of no row".utf8).write(to: stray)
    let backup = try coordinator.backUpPersistentStore(store, to: place())
    #expect(files("backups/.backup_SUPPORT") == named)
    #expect(list() == [".backup_SUPPORT", "backup.sqlite"])
    #expect(try findings(place()) == [])
    #expect(backup.externalFileCount == 1)
    #expect(backup.byteCount > Int64(Self.big.count))
  }

  @Test("a backup is a snapshot of the time when it began, and others can save meanwhile")
  func moment() throws {
    let note = context.note("before")
    note.setValue(Self.big, forKey: "body")
    try context.save()
    let old = files(".store_SUPPORT")
    let progress = ActingProgress(totalUnitCount: 0)
    var failure: (any Error)?
    progress.act = { [context] progress in
      progress.act = { _ in }
      note.title = "after"
      note.setValue(Data(repeating: 9, count: 300_000), forKey: "body")
      do { try context.save() } catch { failure = error }
    }
    try coordinator.backUpPersistentStore(store, to: place(), progress: progress)
    #expect(failure == nil)
    #expect(try titles(place()) == ["before"] && titles(folder.file()) == ["after"])
    #expect(files("backups/.backup_SUPPORT") == old)
    #expect(try findings(place()) == [])
    #expect(progress.completedUnitCount == progress.totalUnitCount)
    // The old external data file is removed when no reader needs it any more.
    #expect(files(".store_SUPPORT").count == 2)
    note.setValue(nil, forKey: "body")
    try context.save()
    #expect(files(".store_SUPPORT") == [])
  }

  @Test("a backup copies page by page, and stops when it is canceled", arguments: [1, 3])
  func cancelled(_ reports: Int) throws {
    for number in 0..<40 { context.note("\(number)").setValue(Data(count: 120_000), forKey: "body") }
    try context.save()
    let progress = ActingProgress(totalUnitCount: 0)
    var count = 0
    progress.act = { progress in
      count += 1
      // A progress that is already cancelled sends no further notification.
      if count == reports { progress.cancel() }
    }
    let error = #expect(throws: NSError.self) {
      try coordinator.backUpPersistentStore(store, to: place(), progress: progress)
    }
    #expect(error?.code == CocoaError.userCancelled.rawValue)
    #expect(error?.localizedDescription.contains("backup.sqlite") == true)
    #expect(list() == [])
    #expect(count < 5)
  }

  @Test("a backup to the store itself is refused, under any name")
  func itself() throws {
    context.note("one")
    try context.save()
    try FileManager.default.createSymbolicLink(at: place("link.sqlite"), withDestinationURL: folder.file())
    try FileManager.default.linkItem(at: folder.file(), to: place("hard.sqlite"))
    for url in [
      folder.file(), place("link.sqlite"), place("hard.sqlite"), folder.file("backups/../store.sqlite"),
    ] {
      let error = #expect(throws: NSError.self) {
        try coordinator.backUpPersistentStore(store, to: url, replacingBackup: true)
      }
      #expect(error?.code == CocoaError.fileWriteFileExists.rawValue)
      #expect(
        error?.localizedDescription.contains("the store itself") == true,
        "\(String(describing: error))"
      )
    }
    #expect(try titles(folder.file()) == ["one"])
  }

  @Test("a backup does not replace a file unasked, or another store", arguments: [false, true])
  func taken(_ replaces: Bool) throws {
    let other = NSPersistentStoreCoordinator(managedObjectModel: model)
    try other.remove(other.addPersistentStore(type: .sqlite, at: place("other.sqlite")))
    try Data("mine".utf8).write(to: place("text.sqlite"))
    try Data().write(to: place("empty.sqlite"))
    try FileManager.default.createDirectory(at: place("folder.sqlite"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: place("link.sqlite").path,
      withDestinationPath: "nowhere"
    )
    let before = list().filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
    for name in before {
      let error = #expect(throws: NSError.self) {
        try coordinator.backUpPersistentStore(store, to: place(name), replacingBackup: replaces)
      }
      #expect(error?.code == CocoaError.fileWriteFileExists.rawValue)
      #expect(error?.localizedDescription.contains(name) == true)
    }
    #expect(list().filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") } == before)
    #expect(try Data(contentsOf: place("text.sqlite")) == Data("mine".utf8))
    #expect(try titles(place("other.sqlite")) == [])
  }

  @Test("a backup replaces an earlier backup of the same store on request")
  func replacing() throws {
    context.note("one").setValue(Self.big, forKey: "body")
    try context.save()
    try coordinator.backUpPersistentStore(store, to: place())
    let first = files("backups/.backup_SUPPORT")
    let note = try #require(try context.fetch(NSFetchRequest<Note>(entityName: "Note")).first)
    note.title = "two"
    note.setValue(Data(repeating: 8, count: 200_000), forKey: "body")
    try context.save()
    let error = #expect(throws: NSError.self) { try coordinator.backUpPersistentStore(store, to: place()) }
    #expect(error?.code == CocoaError.fileWriteFileExists.rawValue)
    #expect(try titles(place()) == ["one"] && files("backups/.backup_SUPPORT") == first)
    try coordinator.backUpPersistentStore(store, to: place(), replacingBackup: true)
    #expect(try titles(place()) == ["two"])
    #expect(files("backups/.backup_SUPPORT") == files(".store_SUPPORT"))
    #expect(list() == [".backup_SUPPORT", "backup.sqlite"])
    #expect(try findings(place()) == [])
  }

  @Test("a backup that fails halfway leaves no file, and names the reason")
  func failing() throws {
    context.note("large").setValue(Self.big, forKey: "body")
    try context.save()
    // The folder for the external data files is a file.
    try Data("mine".utf8).write(to: place(".backup_SUPPORT"))
    #expect(throws: NSError.self) { try coordinator.backUpPersistentStore(store, to: place()) }
    #expect(list() == [".backup_SUPPORT"])
    for (url, word) in [
      (folder.file("missing/backup.sqlite"), "missing"), (URL(fileURLWithPath: "/dev/null"), "/dev/null"),
      (URL(string: "https://example.org/backup")!, "example.org"),
      (folder.file("store.db"), ".store_SUPPORT"),
    ] {
      let error = #expect(throws: NSError.self) { try coordinator.backUpPersistentStore(store, to: url) }
      #expect(error?.domain == NSCocoaErrorDomain)
      #expect(error?.localizedDescription.contains(word) == true, "\(String(describing: error))")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("store.db").path))
  }

  @Test("a backup needs neither a model nor an open store")
  func closed() throws {
    context.note("one").setValue(Self.big, forKey: "body")
    try context.save()
    let names = files(".store_SUPPORT")
    try coordinator.remove(store)
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: folder.file(), type: .sqlite, to: place())
    #expect(try titles(place()) == ["one"] && files("backups/.backup_SUPPORT") == names)
    for (source, word) in [(folder.file("missing.sqlite"), "missing"), (place(".backup_SUPPORT"), "SUPPORT")] {
      let error = #expect(throws: NSError.self) {
        try NSPersistentStoreCoordinator.backUpPersistentStore(at: source, type: .sqlite, to: place("b"))
      }
      #expect(error?.localizedDescription.contains(word) == true)
    }
    try folder.execute("CREATE TABLE plain (value)", at: folder.file("plain.db"))
    #expect(throws: NSError.self) {
      try NSPersistentStoreCoordinator.backUpPersistentStore(
        at: folder.file("plain.db"),
        type: .sqlite,
        to: place("b")
      )
    }
    #expect(list() == [".backup_SUPPORT", "backup.sqlite"])
  }

  @Test("a backup of a store in memory is a store in a file")
  func inMemory() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/dev/null"))
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.note("in memory").setValue(Self.big, forKey: "body")
    try context.save()
    try coordinator.backUpPersistentStore(store, to: place())
    try coordinator.backUpPersistentStore(store, to: place(), replacingBackup: true)
    #expect(list() == ["backup.sqlite"])
    #expect(try titles(place()) == ["in memory"])
    #expect(try findings(place()) == [])
  }

  @Test("a backup can replace the store again")
  func restoring() throws {
    context.note("kept").setValue(Self.big, forKey: "body")
    try context.save()
    try coordinator.backUpPersistentStore(store, to: place())
    context.note("lost")
    try context.save()
    try coordinator.replacePersistentStore(
      at: folder.file(),
      withPersistentStoreFrom: place(),
      type: .sqlite
    )
    #expect(try titles(folder.file()) == ["kept"])
    #expect(try findings(folder.file()) == [])
  }

  @Test("only an open store of the coordinator can be backed up")
  func elsewhere() throws {
    let store = store
    try coordinator.remove(store)
    let error = #expect(throws: NSError.self) { try coordinator.backUpPersistentStore(store, to: place()) }
    #expect(error?.code == NSPersistentStoreOperationError)
  }

  @Test("a backup and its external data are only readable to users who may read the store")
  func modes() throws {
    context.note("one").setValue(Self.big, forKey: "body")
    try context.save()
    let data = try #require(files(".store_SUPPORT").first)
    let paths = [folder.file().path, folder.file(".store_SUPPORT/_EXTERNAL_DATA/\(data)").path]
    for path in paths {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
    try coordinator.backUpPersistentStore(store, to: place())
    let copies = [place().path, folder.file("backups/.backup_SUPPORT/_EXTERNAL_DATA/\(data)").path]
    for path in copies {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o600, "\(path)")
    }
  }

  @Test(
    "a backup keeps SQLite's locks on the store",
    .enabled(if: FileManager.default.isReadableFile(atPath: "/proc/locks"), "the system lists no locks")
  )
  func locks() throws {
    context.note("one")
    try context.save()
    #expect(FileLocks.isHeld(onFileAt: folder.file().path))
    try coordinator.backUpPersistentStore(store, to: place())
    try coordinator.backUpPersistentStore(store, to: place(), replacingBackup: true)
    #expect(FileLocks.isHeld(onFileAt: folder.file().path))
  }

  @Test("a backup does not touch a database or a log that was created at its path meanwhile")
  func madeMeanwhile() throws {
    context.note("one")
    try context.save()
    let log = place().path + "-wal"
    let progress = ActingProgress(parent: nil)
    progress.act = { [place] _ in
      try? Data("theirs".utf8).write(to: place("backup.sqlite"))
      try? Data("log".utf8).write(to: URL(fileURLWithPath: log))
    }
    let error = #expect(throws: NSError.self) {
      try coordinator.backUpPersistentStore(store, to: place(), progress: progress)
    }
    #expect(error?.code == CocoaError.fileWriteFileExists.rawValue)
    #expect(try Data(contentsOf: place()) == Data("theirs".utf8))
    #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == Data("log".utf8))
  }

  @Test("a backup is refused at a path of a SQLite log", arguments: ["-wal", "-shm", "-journal"])
  func logNames(_ suffix: String) throws {
    context.note("one")
    try context.save()
    let error = #expect(throws: NSError.self) {
      try coordinator.backUpPersistentStore(store, to: place("other.sqlite\(suffix)"))
    }
    #expect(error?.localizedDescription.contains("log of another one") == true)
    #expect(list() == [])
  }
}
