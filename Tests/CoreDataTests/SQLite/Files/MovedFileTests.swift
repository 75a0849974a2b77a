import CoreData
import Foundation
import Logging
import SQLiteDriver
import TestSupport
import Testing

@testable import CoreData

@Suite("A store whose file is removed or replaced while it is open")
struct MovedFileTests {
  private let folder: TemporaryFolder
  private let coordinator: NSPersistentStoreCoordinator
  private let context: NSManagedObjectContext
  private let file: URL

  /// Makes a store with a note titled "old", which no context has fetched.
  init() throws {
    folder = try TemporaryFolder()
    file = folder.file()
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(type: .sqlite, at: file)
    context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.note("old")
    try context.save()
  }

  private var store: SQLiteStore {
    get throws { try #require(coordinator.persistentStores.first as? SQLiteStore) }
  }

  private func remove() throws {
    for suffix in [""] + StoreFile.sqliteLogSuffixes { _ = unlink(file.path + suffix) }
  }

  /// Makes a store with a note titled "theirs".
  private func makeOther(_ name: String = "other.sqlite") throws -> URL {
    let other = folder.file(name)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: other)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.note("theirs")
    try context.save()
    try coordinator.remove(store)
    return other
  }

  private func replace() throws {
    let other = try makeOther()
    #expect(rename(other.path, file.path) == 0)
  }

  private func addAgain() throws {
    try coordinator.remove(try store)
    try coordinator.addPersistentStore(type: .sqlite, at: file)
  }

  private func titles() throws -> [String?] {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [.byTitle]
    return try context.fetch(request).map(\.title)
  }

  private func requireReplaced(_ consequence: String = "nothing was saved", _ work: () throws -> Void) throws {
    let error = try #require(#expect(throws: NSError.self) { try work() })
    #expect(error.code == NSPersistentStoreIncompatibleSchemaError)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == file.path)
    #expect(error.localizedDescription.contains("was replaced by another file"))
    #expect(error.localizedDescription.contains(consequence))
    #expect(error.localizedDescription.contains("add it again"))
  }

  @Test(
    "a save reports a removed file and writes nothing; a store that is added again is new, and accepts the save"
  )
  func removed() throws {
    try remove()
    context.note("new")
    let error = try #require(#expect(throws: NSError.self) { try context.save() })
    #expect(error.domain == NSCocoaErrorDomain && error.code == CocoaError.fileNoSuchFile.rawValue)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == file.path)
    #expect(error.localizedDescription.contains("was removed or moved by another program"))
    #expect(error.localizedDescription.contains("nothing was saved"))
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(context.hasChanges)
    try addAgain()
    try context.save()
    #expect(try titles() == ["new"])
  }

  @Test("no history is deleted in a file that was moved")
  func upkeep() throws {
    let connections = try store.engine().connections
    #expect(try connections.writeIfFree { _ in 1 } == 1)
    try replace()
    try requireReplaced { _ = try connections.writeIfFree { _ in 1 } }
  }

  @Test("saving works again after the file is moved back")
  func broughtBack() throws {
    let moved = folder.file("moved.sqlite")
    #expect(rename(file.path, moved.path) == 0)
    context.note("new")
    #expect(throws: NSError.self) { try context.save() }
    #expect(rename(moved.path, file.path) == 0)
    try context.save()
    #expect(try titles() == ["new", "old"])
  }

  @Test("a save does not write into a replaced file, whose content is there when it is added again")
  func replaced() throws {
    try replace()
    context.note("new")
    #expect(try store.engine().connections.opened?.logSize ?? 0 > 0)
    try requireReplaced { try context.save() }
    // A connection that opens the other file would apply the log to it.
    #expect(try store.engine().connections.opened?.logSize == 0)
    try requireReplaced { try context.save() }
    try addAgain()
    #expect(try titles() == ["theirs"])
    #expect(try folder.query("PRAGMA integrity_check") == ["ok"])
    try context.save()
    #expect(try titles() == ["new", "theirs"])
  }

  @Test("the log is left to a program that has opened and saved into the replaced file")
  func replacedAndUsed() throws {
    try coordinator.maintainPersistentStore(try store, .checkpoint)
    try replace()
    let other = try SQLiteConnection(path: file.path)
    try other.use { try $0.execute(sql: "UPDATE ZNOTE SET ZTITLE = 'changed'") }
    context.note("new")
    try requireReplaced { try context.save() }
    #expect(try other.read { try String.fetchAll($0, sql: "SELECT ZTITLE FROM ZNOTE") } == ["changed"])
    try addAgain()
    #expect(try titles() == ["changed"])
    try other.close()
    #expect(try folder.query("PRAGMA integrity_check") == ["ok"])
  }

  @Test("a moved file contains all saves after the store is closed")
  func movedAway() throws {
    let moved = folder.file("moved.sqlite")
    #expect(rename(file.path, moved.path) == 0)
    try coordinator.remove(try store)
    #expect(try folder.query("SELECT ZTITLE FROM ZNOTE", at: moved) == ["old"])
    let log = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? NSNumber
    #expect(log?.intValue == 0)
  }

  @Test("a symbolic link with a new target is treated as a replaced file")
  func link() throws {
    let (first, second) = (try makeOther("first.sqlite"), try makeOther("second.sqlite"))
    let place = folder.file("link.sqlite")
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: first)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(type: .sqlite, at: place)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.note("one")
    try context.save()
    try FileManager.default.removeItem(at: place)
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: second)
    context.note("two")
    let error = try #require(#expect(throws: NSError.self) { try context.save() })
    #expect(error.code == NSPersistentStoreIncompatibleSchemaError)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == place.path)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    #expect(try folder.query("SELECT ZTITLE FROM ZNOTE ORDER BY ZTITLE", at: first) == ["one", "theirs"])
    #expect(try folder.query("SELECT ZTITLE FROM ZNOTE", at: second) == ["theirs"])
  }

  @Test("a moved file refuses batch requests, permanent IDs and transactions of many saves")
  func otherWrites() throws {
    try replace()
    try requireReplaced { try context.execute(NSBatchDeleteRequest(fetchRequest: Note.fetchRequest())) }
    let insertion = NSBatchInsertRequest(entityName: "Note", objects: [["title": "batch"]])
    try requireReplaced { try context.execute(insertion) }
    let update = NSBatchUpdateRequest(entityName: "Note")
    update.propertiesToUpdate = ["title": "changed"]
    try requireReplaced { try context.execute(update) }
    try requireReplaced { try context.obtainPermanentIDs(for: [context.note("new")]) }
    try requireReplaced("no further connection") { try coordinator.performTransaction { _ in } }
    try addAgain()
    #expect(try titles() == ["theirs"])
  }

  @Test("a transaction of many saves is not committed if the file was replaced meanwhile")
  func replacedDuringTransaction() throws {
    try requireReplaced {
      try coordinator.performTransaction { context in
        context.note("new")
        try context.save()
        try replace()
      }
    }
    try addAgain()
    #expect(try titles() == ["theirs"])
  }

  @Test(
    "a replaced file is not mixed with the old one: open connections read the old one, and no new one opens"
  )
  func reading() throws {
    #expect(try titles() == ["old"])
    try replace()
    #expect(try titles() == ["old"])
    let connections = try store.engine().connections
    try requireReplaced("no further connection") { _ = try connections.openReader() }
    try requireReplaced("no further connection") { try context.setQueryGenerationFrom(.current) }
  }

  @Test("a moved file cannot be read if no reader was open before")
  func firstRead() throws {
    try replace()
    try requireReplaced("no further connection") { _ = try titles() }
  }

  @Test("no empty database is created in place of a moved file")
  func nothingIsMade() throws {
    try remove()
    #expect(throws: NSError.self) { try coordinator.performTransaction { _ in } }
    #expect(throws: NSError.self) { try titles() }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("a store detects that its log was removed, and loses no save made meanwhile")
  func log() throws {
    #expect(unlink(file.path + "-wal") == 0)
    var saved = ["old"]
    var failure: NSError?
    for number in 0..<SQLiteOpenedFile.transactionsBetweenLooksAtLog where failure == nil {
      context.note("\(number)")
      do {
        try context.save()
        saved.append("\(number)")
      } catch {
        failure = error as NSError
        context.rollback()
      }
    }
    let error = try #require(failure)
    #expect(error.code == CocoaError.fileNoSuchFile.rawValue)
    #expect(error.localizedDescription.contains(file.path + "-wal"))
    #expect(error.localizedDescription.contains("add it again"))
    // A new connection would create a new log, and read from that.
    #expect(throws: NSError.self) { try store.engine().connections.openReader() }
    try addAgain()
    #expect(try titles() == saved.sorted())
  }

  @Test("a program that watches the file logs its move once")
  func watched() throws {
    #expect(LogRecorder.isRecording)
    let watcher = try SQLiteChangeWatcher(try store.engine().connections, hasHistory: false) { _ in }
    try replace()
    for _ in 0..<3 { watcher.check() }
    try watcher.stop()
    let entries = LogRecorder.entries.filter { $0.message.contains(file.path) }
    #expect(entries.count == 1)
    #expect(entries.first?.level == .error)
    #expect(entries.first?.message.contains("was replaced by another file") == true)
  }

  @Test("external data files stay if a store that replaced the file may have them")
  func releasedFiles() throws {
    let store = try store
    let external = try store.engine().external
    let name = UUID().uuidString
    try FileManager.default.createDirectory(at: external.folder, withIntermediateDirectories: true)
    try Data("large".utf8).write(to: external.folder.appendingPathComponent(name))
    try store.engine().connections.released.add([name])
    try replace()
    try coordinator.remove(store)
    #expect(external.names == [name])
  }

  @Test("a store whose files were destroyed by force refuses a save until it is added again")
  func destroyed() throws {
    try NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      .destroyPersistentStore(
        at: file,
        type: .sqlite,
        options: [NSPersistentStoreForceDestroyOption: true]
      )
    context.note("new")
    let error = try #require(#expect(throws: NSError.self) { try context.save() })
    #expect(error.code == CocoaError.fileNoSuchFile.rawValue)
    try addAgain()
    try context.save()
    #expect(try titles() == ["new"])
  }

  @Test("a store emptied by another coordinator is the same file, and a save reports it")
  func emptied() throws {
    try NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      .destroyPersistentStore(at: file, type: .sqlite)
    context.note("new")
    let error = try #require(#expect(throws: NSError.self) { try context.save() })
    #expect(error.code == NSPersistentStoreIncompatibleSchemaError)
    #expect(error.localizedDescription.contains("migrated, replaced or emptied"))
    try addAgain()
    try context.save()
    #expect(try titles() == ["new"])
  }

  @Test("large data are saved again after their folder was removed")
  func externalFolder() throws {
    let model = TestModel.make()
    model.entitiesByName["Note"]?.attributesByName["body"]?.allowsExternalBinaryDataStorage = true
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let place = folder.file("external.sqlite")
    try coordinator.addPersistentStore(type: .sqlite, at: place)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let data = Data(count: 200_000)
    context.note("one").setValue(data, forKey: "body")
    try context.save()
    try FileManager.default.removeItem(at: ExternalDataFolder(store: place).support)
    let second = context.note("two")
    second.setValue(data, forKey: "body")
    try context.save()
    context.refresh(second, mergeChanges: false)
    #expect(second.value(forKey: "body") as? Data == data)
  }
}
