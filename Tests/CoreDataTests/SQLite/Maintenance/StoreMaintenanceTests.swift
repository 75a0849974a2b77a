import CSystemSQLite
import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Maintenance of a SQLite store")
struct StoreMaintenanceTests {
  private let folder: TemporaryFolder
  private let coordinator: NSPersistentStoreCoordinator
  private let context: NSManagedObjectContext
  private let recorder: StatementRecorder
  private var store: NSPersistentStore { coordinator.persistentStores[0] }

  init() throws {
    folder = try TemporaryFolder()
    recorder = StatementRecorder(folder.url)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(
      type: .sqlite,
      at: folder.file(),
      options: [NSPersistentHistoryTrackingKey: true]
    )
    context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
  }

  /// Saves notes and deletes them, which leaves free pages.
  private func leaveFreePages() throws {
    for number in 0..<600 { context.note(String(repeating: "\(number)", count: 1500)) }
    try context.save()
    try context.execute(NSBatchDeleteRequest(fetchRequest: Note.fetchRequest()))
    context.reset()
  }

  private func number(_ sql: String) throws -> Int {
    let numbers: [Int] = try folder.query(sql)
    return try #require(numbers.first)
  }

  private func size(_ suffix: String = "") -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder.file().path + suffix)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? -1
  }

  /// The statements that a closure executes, without queries about the file.
  private func executed(_ work: () throws -> Void) rethrows -> [String] {
    let count = recorder.statements.count
    try work()
    let isAsked = [
      "SELECT * FROM sqlite_master", "PRAGMA page_", "PRAGMA freelist", "PRAGMA auto_vacuum", "PRAGMA busy",
      "PRAGMA query_only",
    ]
    return recorder.statements.dropFirst(count).map(\.sql).filter { sql in
      !isAsked.contains(where: sql.hasPrefix) && !sql.hasPrefix("BEGIN") && !sql.hasPrefix("COMMIT")
        && !sql.hasPrefix("PRAGMA schema_version")
    }
  }

  @Test("maintenance frees pages, in pieces")
  func freePages() throws {
    try leaveFreePages()
    let (pages, free) = (try number("PRAGMA page_count"), try number("PRAGMA freelist_count"))
    #expect(free > 2 * SQLiteMaintenance.pagesPerPiece)
    var report = StoreMaintenanceReport()
    let statements = try executed {
      report = try coordinator.maintainPersistentStore(store, .freePages)
    }
    let pieces = (free + SQLiteMaintenance.pagesPerPiece - 1) / SQLiteMaintenance.pagesPerPiece
    #expect(statements == Array(repeating: "PRAGMA incremental_vacuum(128)", count: pieces))
    #expect(try number("PRAGMA freelist_count") == 0)
    let left = try number("PRAGMA page_count")
    #expect(left <= pages - free)
    #expect(report.releasedByteCount == Int64((pages - left) * 4096) && report.freeByteCount == 0)
    #expect(report.byteCount == Int64(left * 4096))
    #expect(try executed { try coordinator.maintainPersistentStore(store, .freePages) } == [])
  }

  @Test("maintenance moves the log into the file, which then has the reported size")
  func checkpoint() throws {
    try leaveFreePages()
    #expect(size("-wal") > 0)
    let report = try coordinator.maintainPersistentStore(store)
    #expect(size("-wal") == 0 && report.remainingLogByteCount == 0)
    #expect(size() == report.byteCount)
    #expect(
      try executed { try coordinator.maintainPersistentStore(store, .checkpoint) }
        == ["PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(TRUNCATE)"]
    )
    #expect(try SQLiteStoreCheck(store: folder.file(), model: TestModel.shared).findings() == [])
  }

  @Test("maintenance keeps the log of an older state that is read, and waits for no lock")
  func olderState() throws {
    context.note("one")
    try context.save()
    try coordinator.maintainPersistentStore(store, .checkpoint)
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let reader = try SQLiteConnection(path: folder.file().path, configuration: configuration)
    try reader.use { database in
      try database.execute(sql: "BEGIN")
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZNOTE") == 1)
    }
    context.note("two")
    try context.save()
    var report = StoreMaintenanceReport()
    let statements = try executed {
      report = try coordinator.maintainPersistentStore(store, .checkpoint)
    }
    #expect(statements == ["PRAGMA wal_checkpoint(PASSIVE)"])
    #expect(report.remainingLogByteCount > 0 && size("-wal") > 0)
    context.note("three")
    try context.save()
    try reader.close()
    #expect(try coordinator.maintainPersistentStore(store, .checkpoint).remainingLogByteCount == 0)
    #expect(size("-wal") == 0)
  }

  @Test("collects statistics within a limit, and programs that have the store open go on saving")
  func statistics() throws {
    let other = NSManagedObjectContext(.privateQueue)
    other.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try other.persistentStoreCoordinator?.addPersistentStore(
      type: .sqlite,
      at: folder.file(),
      options: [NSPersistentHistoryTrackingKey: true]
    )
    for number in 0..<10 { context.note("\(number)").category = Category(context: context) }
    try context.save()
    let statements = try executed { try coordinator.maintainPersistentStore(store, .statistics) }
    let statement = sqlite3_libversion_number() >= 3_046_000 ? "PRAGMA optimize = 0x10002" : "ANALYZE"
    let own = ["PRAGMA analysis_limit = 400", statement]
    #expect(statements.filter(own.contains) == own)
    #expect(try number("SELECT COUNT(*) FROM sqlite_stat1 WHERE tbl = 'ZNOTE'") > 0)
    for context in [context, other] {
      context.note("later")
      try context.save()
    }
    #expect(try number("SELECT COUNT(*) FROM ZNOTE") == 12)
  }

  @Test("existing statistics of a store are updated when it is closed", arguments: [false, true])
  func closing(_ hasStatistics: Bool) throws {
    if hasStatistics { try coordinator.maintainPersistentStore(store, .statistics) }
    context.note("one")
    try context.save()
    let statements = try executed { try coordinator.remove(store) }
    #expect(statements.contains("PRAGMA optimize") == hasStatistics)
    #expect(statements.contains("PRAGMA analysis_limit = 400") == hasStatistics)
    #expect(
      try number("SELECT COUNT(*) FROM sqlite_master WHERE name = 'sqlite_stat1'") == (hasStatistics ? 1 : 0)
    )
  }

  @Test("maintenance needs neither a model nor an open store")
  func closed() throws {
    try leaveFreePages()
    try coordinator.remove(store)
    let report = try NSPersistentStoreCoordinator.maintainPersistentStore(
      at: folder.file(),
      type: .sqlite,
      deletingHistoryBefore: .distantFuture
    )
    #expect(report.deletedTransactionCount == 2 && report.releasedByteCount > 0)
    #expect(try number("SELECT COUNT(*) FROM ACHANGE") == 0)
    #expect(size() == report.byteCount)
    let error = #expect(throws: NSError.self) {
      try NSPersistentStoreCoordinator.maintainPersistentStore(
        at: folder.file("missing.sqlite"),
        type: .sqlite
      )
    }
    #expect(error?.localizedDescription.contains("missing.sqlite") == true)
  }

  @Test("maintenance of a read-only store is refused")
  func readOnly() throws {
    try coordinator.remove(store)
    let options = [NSReadOnlyPersistentStoreOption: true]
    let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file(), options: options)
    let error = #expect(throws: NSError.self) { try coordinator.maintainPersistentStore(store) }
    #expect(error?.code == NSPersistentStoreSaveError)
    try coordinator.remove(store)
    let removed = #expect(throws: NSError.self) { try coordinator.maintainPersistentStore(store) }
    #expect(removed?.code == NSPersistentStoreOperationError)
  }

  @Test("maintenance of a store in memory does the applicable steps")
  func inMemory() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/dev/null"))
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    for number in 0..<100 { context.note(String(repeating: "\(number)", count: 3000)) }
    try context.save()
    try context.execute(NSBatchDeleteRequest(fetchRequest: Note.fetchRequest()))
    let report = try coordinator.maintainPersistentStore(store)
    #expect(report.releasedByteCount > 0 && report.freeByteCount == 0 && report.remainingLogByteCount == 0)
  }
}
