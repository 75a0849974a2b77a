import CoreData
import Foundation
import SQLiteDriver
import Synchronization
import Testing

@testable import CoreData

/// A flag that one thread sets and another one reads.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  func set() { value.store(true, ordering: .releasing) }

  var isSet: Bool { value.load(ordering: .acquiring) }
}

@Suite("The bounds of query generations")
struct QueryGenerationLimitTests {
  private let folder: TemporaryFolder
  private let recorder: StatementRecorder

  init() throws {
    folder = try TemporaryFolder()
    // Records only the texts of statements, because their bindings are hundreds of megabytes in all.
    recorder = StatementRecorder(folder.url, details: [])
  }

  /// The number of bytes of one save's data.
  private static let saveSize = 100_000
  /// The size in bytes to which SQLite truncates the log, for tests that do not use the default.
  private static let logSize = 1_000_000

  /// A store with a note titled "old".
  private final class Opened {
    let coordinator: NSPersistentStoreCoordinator
    let writer: NSManagedObjectContext
    let engine: SQLiteStore.Engine
    var contexts: [NSManagedObjectContext] = []

    init(_ folder: TemporaryFolder, _ options: [AnyHashable: Any]) throws {
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file(), options: options)
      engine = try #require(store as? SQLiteStore).engine()
      writer = NSManagedObjectContext(.privateQueue)
      writer.persistentStoreCoordinator = coordinator
      writer.note("old")
      try writer.save()
    }

    deinit { for store in coordinator.persistentStores { try? coordinator.remove(store) } }

    func pinned() throws -> NSManagedObjectContext {
      let context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = coordinator
      contexts.append(context)
      try context.setQueryGenerationFrom(.current)
      return context
    }

    /// Saves so many bytes, in saves of ``saveSize``, and returns the maximum size of the log.
    @discardableResult
    func save(_ size: Int) throws -> Int {
      var largest = 0
      for number in 0..<size / QueryGenerationLimitTests.saveSize {
        let note = writer.note("new \(number)")
        note.setValue(Data(count: QueryGenerationLimitTests.saveSize), forKey: "body")
        try writer.save()
        writer.reset()
        wait()
        largest = max(largest, logSize)
      }
      return largest
    }

    /// Waits until released generations are closed, and the log is truncated.
    func wait() { engine.states.queue.sync {} }

    var logSize: Int { engine.connections.opened?.logSize ?? 0 }
  }

  private func open(limit: Int? = nil, age: Double? = nil, logSize: Int? = Self.logSize) throws -> Opened {
    var options: [AnyHashable: Any] = [:]
    options[QueryGenerationLogLimitOption] = limit
    options[QueryGenerationAgeLimitOption] = age
    options[NSSQLitePragmasOption] = logSize.map { ["journal_size_limit": "\($0)"] }
    return try Opened(folder, options)
  }

  private func count(_ context: NSManagedObjectContext) throws -> Int {
    try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
  }

  private func requireEnded(_ context: NSManagedObjectContext, _ reason: String) throws {
    let error = try #require(#expect(throws: NSError.self) { try count(context) })
    #expect(error.code == NSPersistentStoreOperationError)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == folder.file().path)
    for part in [folder.file().path, reason, "setQueryGenerationFrom(.current)"] {
      #expect(error.localizedDescription.contains(part), "\(part)")
    }
  }

  private var checkpoints: [String] {
    recorder.statements.map(\.sql).filter { $0.hasPrefix("PRAGMA wal_checkpoint") }
  }

  // MARK: - The log

  @Test("the log is truncated to 16 MiB when it restarts, unless a pragma says otherwise")
  func journalSizeLimit() throws {
    var limits: [String] { recorder.statements.map(\.sql).filter { $0.contains("journal_size_limit") } }
    var opened: Opened? = try open(logSize: nil)
    #expect(Set(limits) == ["PRAGMA journal_size_limit = 16777216"])
    #expect(opened?.engine.connections.logSizeLimit == 16_777_216)
    opened = nil
    opened = try open(logSize: -1)
    #expect(Set(limits) == ["PRAGMA journal_size_limit = 16777216", "PRAGMA journal_size_limit = -1"])
    #expect(opened?.engine.connections.logSizeLimit == nil)
  }

  @Test("the log is truncated when the last generation is released")
  func release() throws {
    let opened = try open()
    let (first, second) = (try opened.pinned(), try opened.pinned())
    try opened.save(3_000_000)
    #expect(opened.logSize > 3_000_000)
    try first.setQueryGenerationFrom(nil)
    opened.wait()
    #expect(opened.logSize > 3_000_000)
    #expect(checkpoints.isEmpty)
    #expect(try count(second) == 1)
    try second.setQueryGenerationFrom(nil)
    opened.wait()
    #expect(opened.logSize == 0)
    #expect(checkpoints == ["PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(TRUNCATE)"])
  }

  @Test("a log below SQLite's size limit is not truncated")
  func shortLog() throws {
    let opened = try open(logSize: nil)
    let context = try opened.pinned()
    try opened.save(1_000_000)
    try context.setQueryGenerationFrom(nil)
    opened.wait()
    #expect(checkpoints.isEmpty)
  }

  @Test("the log is truncated by later saves while another program reads it")
  func otherReader() throws {
    let opened = try open()
    let context = try opened.pinned()
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let reader = try SQLiteConnection(path: folder.file().path, configuration: configuration)
    let sql = "SELECT COUNT(*) FROM ZNOTE"
    try reader.use { database in
      try database.execute(sql: "BEGIN")
      #expect(try Int.fetchOne(database, sql: sql) == 1)
    }
    try opened.save(4_500_000)
    try context.setQueryGenerationFrom(nil)
    opened.wait()
    #expect(opened.logSize > 4_500_000)
    try reader.use { database in
      #expect(try Int.fetchOne(database, sql: sql) == 1)
      try database.execute(sql: "COMMIT")
    }
    try opened.save(300_000)
    #expect(opened.logSize <= Self.logSize)
  }

  @Test("the log restarts when the only pinned context moves to a newer generation")
  func advancing() throws {
    let opened = try open(limit: 0)
    let context = try opened.pinned()
    var largest = 0
    for number in 1...60 {
      largest = max(largest, try opened.save(Self.saveSize))
      #expect(try count(context) == number)
      context.reset()
      #expect(try count(context) == number + 1)
    }
    #expect(largest < 2 * Self.logSize)
  }

  @Test("overlapping fetches keep the log long, and the restart makes writers wait for them")
  func readersWithoutGap() async throws {
    let opened = try open()
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let readers = try (0..<2).map { _ in
      try SQLiteConnection(path: folder.file().path, configuration: configuration)
    }
    func begin(_ reader: Int) throws {
      try readers[reader].use { database in
        try database.execute(sql: "BEGIN")
        #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZNOTE") ?? 0 >= 0)
      }
    }
    func end(_ reader: Int) throws { try readers[reader].use { try $0.execute(sql: "COMMIT") } }
    // Each reader begins before the other one ends.
    for round in 0..<4 {
      try begin(round % 2)
      if round > 0 { try end(1 - round % 2) }
      try opened.save(5_000_000)
    }
    #expect(opened.logSize > SQLiteLog.defaultSizeLimit)
    let (writeLock, log) = (opened.engine.connections.writeLock, SQLiteLog(opened.engine.connections))
    let done = Signal()
    // This blocks its thread, so it does not use one of the cooperative pool, which all tests need.
    Thread {
      log.restart(patience: .seconds(3600))
      done.send()
    }.start()
    // The restart has the write lock, and waits for the reader.
    while writeLock.holdIfFree({}) != nil { await Task.yield() }
    #expect(opened.logSize > SQLiteLog.defaultSizeLimit)
    try end(1)
    await done.wait()
    #expect(opened.logSize == 0)
    try opened.save(10_000)
  }

  @Test("a restart of the log ends before a waiting writer times out")
  func urgentWriters() async throws {
    let opened = try open()
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let reader = try SQLiteConnection(path: folder.file().path, configuration: configuration)
    func begin() throws {
      try reader.use { database in
        try database.execute(sql: "BEGIN")
        #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZNOTE") == 1)
      }
    }
    func end() throws { try reader.use { try $0.execute(sql: "COMMIT") } }
    try begin()
    try opened.save(20_000_000)
    let (writeLock, log) = (opened.engine.connections.writeLock, SQLiteLog(opened.engine.connections))
    #expect(!writeLock.isUrgent)
    let done = Signal()
    let flag = Flag()
    Thread {
      log.restart(patience: .seconds(3600))
      flag.set()
      done.send()
    }.start()
    // The restart has the write lock. A writer that waits for a second or two eventually gets it.
    while writeLock.holdIfFree({}) != nil { await Task.yield() }
    let written = Signal()
    Thread {
      while !flag.isSet { try? writeLock.hold(timeout: 2) {} }
      written.send()
    }.start()
    await done.wait()
    await written.wait()
    #expect(opened.logSize > SQLiteLog.defaultSizeLimit)
    try end()
  }

  @Test("without pinned generations, commits restart a long log, once in a while")
  func longLog() throws {
    let opened = try open()
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let reader = try SQLiteConnection(path: folder.file().path, configuration: configuration)
    try reader.use { database in
      try database.execute(sql: "BEGIN")
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZNOTE") == 1)
    }
    try opened.save(12_000_000)
    // The log is longer than the size to which SQLite truncates it, but shorter than the size at which it is restarted.
    #expect(checkpoints.isEmpty)
    let start = ContinuousClock.now
    try opened.save(14_000_000)
    // The reader does not end within the patience of the restarts. Writers do not have to wait repeatedly, because ten
    // seconds pass between two tries. That much time may also pass on a slow machine.
    let tries = checkpoints.count { $0.hasSuffix("(PASSIVE)") }
    #expect(tries >= 1 && .seconds(10) * (tries - 1) <= ContinuousClock.now - start)
    #expect(checkpoints.contains { $0.hasSuffix("(TRUNCATE)") })
    #expect(opened.logSize > 26_000_000)
    try reader.use { try $0.execute(sql: "COMMIT") }
  }

  @Test("pinned generations and backups do not make writers wait for the log, in any coordinator")
  func longReaders() throws {
    let (opened, other) = (try open(), try open())
    let pinned = try other.pinned()
    try opened.save(20_000_000)
    let log = SQLiteLog(opened.engine.connections)
    log.restart(patience: .seconds(3600))
    #expect(checkpoints.isEmpty)
    // The release of the last generation truncates the log, unless it finds a reader.
    try opened.engine.connections.readAtLength { database in
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZNOTE") == 202)
      try pinned.setQueryGenerationFrom(nil)
      other.wait()
      opened.writer.note("last")
      try opened.writer.save()
      let count = checkpoints.count
      log.restart(patience: .seconds(3600))
      #expect(checkpoints.count == count)
    }
    log.restart(patience: .seconds(3600))
    #expect(opened.logSize == 0)
  }

  // MARK: - The size

  @Test("the limits bound the log during thousands of saves at a held generation, whose reader gets an error")
  func growth() throws {
    let opened = try open(limit: 2_000_000)
    let context = try opened.pinned()
    #expect(try count(context) == 1)
    var largest = 0
    for number in 0..<2_000 {
      opened.writer.note(String(repeating: "\(number % 10)", count: 10_000))
      try opened.writer.save()
      opened.writer.reset()
      opened.wait()
      largest = max(largest, opened.logSize)
    }
    #expect(largest > 2_000_000)
    // The checkpoint begins after 4 MiB.
    #expect(largest < 5_000_000)
    try requireEnded(context, "has grown by")
    try requireEnded(context, QueryGenerationLogLimitOption)
    try context.setQueryGenerationFrom(.current)
    #expect(try count(context) == 2_001)
  }

  @Test("a generation that the log did not outgrow stays pinned")
  func several() throws {
    let opened = try open(limit: 2_000_000)
    let old = try opened.pinned()
    try opened.save(1_500_000)
    let new = try opened.pinned()
    try opened.save(1_000_000)
    try requireEnded(old, "has grown by")
    #expect(try count(new) == 16)
    try opened.save(500_000)
    #expect(try count(new) == 16)
    try new.setQueryGenerationFrom(nil)
    opened.wait()
    #expect(opened.logSize == 0)
    #expect(try count(new) == 31)
  }

  @Test("overlapping generations end when the log has twice the allowed size")
  func succession() throws {
    let opened = try open(limit: 2_000_000)
    let contexts = [try opened.pinned(), try opened.pinned()]
    var (largest, ends) = (0, 0)
    for number in 0..<100 {
      largest = max(largest, try opened.save(Self.saveSize))
      for context in contexts {
        do {
          _ = try count(context)
        } catch {
          #expect(error.localizedDescription.contains("one after the other without a gap"))
          ends += 1
        }
      }
      // One of the two contexts is always pinned to a generation.
      try contexts[number % 2].setQueryGenerationFrom(.current)
    }
    #expect(ends > 0)
    #expect(largest > 4_000_000)
    #expect(largest < 9_000_000)
  }

  enum OtherWriter: CaseIterable { case batch, transaction, otherCoordinator }

  @Test(
    "generations are checked after a transaction of many saves, a batch, and saves of another coordinator",
    arguments: OtherWriter.allCases
  )
  func otherWriters(_ writer: OtherWriter) throws {
    let opened = try open(limit: 500_000)
    let rows = (0..<10).map { ["title": "\($0)", "body": Data(count: Self.saveSize)] as [String: Any] }
    let insertion = NSBatchInsertRequest(entityName: "Note", objects: rows)
    let pinned = try opened.pinned()
    switch writer {
    case .batch: try opened.writer.execute(insertion)
    case .transaction: _ = try opened.coordinator.performTransaction { try $0.execute(insertion) }
    case .otherCoordinator: try open().save(1_000_000)
    }
    try requireEnded(pinned, "has grown by")
  }

  @Test("a child context of a pinned parent, and a fault, report an ended generation")
  func children() throws {
    let opened = try open(limit: 500_000)
    let parent = try opened.pinned()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    let fault = try #require(try child.fetch(NSFetchRequest<Note>(entityName: "Note")).first)
    child.refresh(fault, mergeChanges: false)
    parent.refreshAllObjects()
    try opened.save(1_000_000)
    try requireEnded(child, "has grown by")
    #expect(fault.title == nil)
    let error = #expect(throws: NSError.self) { try child.throwReadFailure() }
    #expect(error?.localizedDescription.contains("has grown by") == true)
  }

  @Test(
    "a token of an ended generation is refused, and a pinned context's save continues with the newest state"
  )
  func token() throws {
    let opened = try open(limit: 500_000)
    let context = try opened.pinned()
    let token = try #require(context.queryGenerationToken)
    try opened.save(1_000_000)
    let other = NSManagedObjectContext(.privateQueue)
    other.persistentStoreCoordinator = opened.coordinator
    let error = #expect(throws: NSError.self) { try other.setQueryGenerationFrom(token) }
    #expect(error?.localizedDescription.contains("has grown by") == true)
    #expect(other.queryGenerationToken == nil)
    context.note("mine")
    try context.save()
    #expect(try count(context) == 12)
  }

  @Test("generations have no limit if the option is 0")
  func unbounded() throws {
    let opened = try open(limit: 0)
    let context = try opened.pinned()
    try opened.save(3_000_000)
    #expect(try count(context) == 1)
  }

  // MARK: - The age

  @Test("a generation older than the option allows ends at the next save")
  func age() throws {
    let opened = try open(age: 1e-9)
    let context = try opened.pinned()
    #expect(try count(context) == 1)
    try opened.save(Self.saveSize)
    try requireEnded(context, "has been pinned for")
    try requireEnded(context, QueryGenerationAgeLimitOption)
    try opened.coordinator.remove(opened.coordinator.persistentStores[0])
    let young = try open(age: 86_400)
    let other = try young.pinned()
    try young.save(Self.saveSize)
    #expect(try count(other) == 3)
  }

  @Test("the options for generations must be numbers from 0 on")
  func wrongOptions() throws {
    let wrong: [(String, Any)] = [
      (QueryGenerationLogLimitOption, "much"), (QueryGenerationAgeLimitOption, -1),
      (QueryGenerationLogLimitOption, Double.nan),
    ]
    for (option, value) in wrong {
      let error = #expect(throws: NSError.self) { try Opened(folder, [option: value]) }
      #expect(error?.code == NSPersistentStoreOpenError)
      #expect(error?.localizedDescription.contains(option) == true)
    }
    _ = try open(limit: .max, age: .infinity)
  }
}
