import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Deleting old history")
struct HistoryPurgeTests {
  private let store: TrackedStore

  init() throws { store = try TrackedStore() }

  private var lifetime: [AnyHashable: Any] {
    TrackedStore.options.merging([StoreHistoryLifetimeOption: NSNumber(value: 86_400)]) { $1 }
  }

  private func context(_ options: [AnyHashable: Any] = TrackedStore.options) throws -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = try store.coordinator(options)
    return context
  }

  private func count(_ table: String = "ATRANSACTION") throws -> Int {
    let counts: [Int] = try store.folder.query("SELECT COUNT(*) FROM \(table)")
    return try #require(counts.first)
  }

  /// Writes a history of transactions with one change each, which are a million seconds old.
  private func makeOld(_ count: Int) throws {
    let context = try context()
    for number in 0..<count {
      context.note("\(number)")
      try context.save()
    }
    try store.folder.execute("UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP - 1000000")
  }

  private func maintain(_ context: NSManagedObjectContext, before date: Date) throws -> Int {
    let coordinator = try #require(context.persistentStoreCoordinator)
    return try coordinator.maintainPersistentStore(
      coordinator.persistentStores[0],
      [],
      deletingHistoryBefore: date
    )
    .deletedTransactionCount
  }

  // MARK: - Explicit purges

  @Test("old history is deleted in pieces, with its changes, up to a date")
  func pieces() throws {
    try makeOld(250)
    let recorder = StatementRecorder(store.folder.url)
    let context = try context()
    context.note("young")
    try context.save()
    var deleted = 0
    let statements = try recorder.sql {
      deleted = try maintain(context, before: Date(timeIntervalSinceNow: -86_400))
    }
    #expect(deleted == 250)
    #expect(try count() == 1 && count("ACHANGE") == 1)
    #expect(try store.folder.query("SELECT ZTRANSACTIONID FROM ACHANGE") == [251])
    #expect(try context.transactions().count == 1)
    let deletions = statements.filter { $0.hasPrefix("DELETE") }
    let piece = [
      "DELETE FROM ACHANGE WHERE ZTRANSACTIONID <= ?", "DELETE FROM ATRANSACTION WHERE Z_PK <= ?",
    ]
    #expect(deletions == piece + piece + piece)
    #expect(
      statements.contains("SELECT Z_PK, ZTIMESTAMP FROM ATRANSACTION ORDER BY Z_PK LIMIT 100")
    )
    #expect(try maintain(context, before: Date(timeIntervalSinceNow: -86_400)) == 0)
    #expect(try SQLiteStoreCheck(store: store.file, model: store.model).findings() == [])
  }

  @Test("purging leaves no gap if a clock was set back, so an expired token is detected")
  func clock() throws {
    try makeOld(5)
    try store.folder.execute("UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP + 1000000 WHERE Z_PK = 3")
    let context = try context()
    #expect(try maintain(context, before: Date(timeIntervalSinceNow: -86_400)) == 2)
    #expect(try store.folder.query("SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK") == [3, 4, 5])
  }

  @Test("a transaction with more changes than a piece is deleted as a whole")
  func large() throws {
    let writer = try context()
    for number in 0..<1500 { writer.note("\(number)") }
    try writer.save()
    try makeOld(2)
    let recorder = StatementRecorder(store.folder.url)
    let context = try context()
    var deleted = 0
    let statements = try recorder.sql { deleted = try maintain(context, before: Date()) }
    #expect(deleted == 3)
    #expect(statements.filter { $0.hasPrefix("DELETE FROM ACHANGE") }.count == 2)
    #expect(try count() == 0 && count("ACHANGE") == 0)
    // The numbers of transactions are never reused.
    context.note("next")
    try context.save()
    #expect(try store.folder.query("SELECT Z_PK FROM ATRANSACTION") == [4])
  }

  @Test("purging a store without a history does nothing")
  func none() throws {
    let context = try context([:])
    #expect(try maintain(context, before: .distantFuture) == 0)
  }

  // MARK: - Automatic purges

  @Test("automatic purging follows saves, one piece at a time, and rarely")
  func byItself() throws {
    try makeOld(150)
    let recorder = StatementRecorder(store.folder.url)
    let context = try context(lifetime)
    var lookedAt: [Int] = []
    var left: [Int] = []
    for save in 0..<80 {
      context.note("new \(save)")
      let statements = try recorder.sql { try context.save() }
      if statements.contains(where: { $0.contains("LIMIT 100") }) { lookedAt.append(save) }
      if save < 3 { left.append(try count()) }
    }
    // One piece is deleted after the first save and the rest after the next one. Then the next 64 saves look for nothing.
    #expect(left == [51, 2, 3])
    #expect(lookedAt == [0, 1, 1 + HistoryLifetime.commitsBetweenLooks])
    #expect(try count() == 80 && count("ACHANGE") == 80)
  }

  @Test("automatic purging follows a transaction of many saves, and does not run inside of it")
  func transaction() throws {
    try makeOld(3)
    let context = try context(lifetime)
    try context.persistentStoreCoordinator?.performTransaction { inner in
      for number in 0..<3 {
        inner.note("\(number)")
        try inner.save()
      }
      #expect(try count() == 3)
    }
    #expect(try count() == 3)
    #expect(try store.folder.query("SELECT MIN(Z_PK) FROM ATRANSACTION") == [4])
  }

  @Test("automatic purging does not wait for a lock, and is postponed instead")
  func busy() throws {
    let connections = try SQLiteConnections(file: store.file, isReadOnly: false, pragmas: [], timeout: 60)
    try connections.prepareForWriting()
    #expect(try connections.writeIfFree { _ in 1 } == 1)
    // Another writer in this process.
    #expect(try connections.write { _ in try connections.writeIfFree { _ in 1 } ?? 0 } == 0)
    // Another writer in another process.
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let other = try SQLiteConnection(path: store.file.path, configuration: configuration)
    try other.use { try $0.beginTransaction(.immediate) }
    #expect(try connections.writeIfFree { _ in 1 } == nil)
    try other.use { try $0.rollback() }
    struct Wrong: Error {}
    #expect(throws: Wrong.self) { try connections.writeIfFree { _ in throw Wrong() } }
    #expect(try connections.writeIfFree { _ in 2 } == 2)
    try other.close()
    try connections.close()
  }

  @Test(
    "an option that is not a number of seconds is an error that names it",
    arguments: ["week", "0", "-1", "nan"]
  )
  func wrongOption(_ text: String) throws {
    let option: NSObject = Double(text).map { NSNumber(value: $0) } ?? NSString(string: text)
    let options = TrackedStore.options.merging([StoreHistoryLifetimeOption: option]) { $1 }
    let error = #expect(throws: NSError.self) { try store.coordinator(options) }
    #expect(error?.code == NSPersistentStoreOpenError)
    #expect(error?.localizedDescription.contains("StoreHistoryLifetimeOption") == true)
  }

  @Test("automatic purging also follows saves that took the write lock before they began")
  func byItselfInTurn() async throws {
    try makeOld(3)
    let context = try context(lifetime)
    try await context.performWrite(deadline: .now + .seconds(86_400)) { _ = context.note("new") }
    #expect(try count() == 1)
  }
}
