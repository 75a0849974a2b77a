import CSystemSQLite
import Foundation
import SQLiteDriver
import Synchronization
import Testing

@testable import CoreData

@Suite("Observers of a store's waits")
struct StoreWaitsTests {
  private let folder: TemporaryFolder
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)

  init() throws {
    folder = try TemporaryFolder()
    try coordinator.remove(try coordinator.addPersistentStore(type: .sqlite, at: folder.file()))
  }

  /// Records the paths of stores that have waited.
  private final class Heard: Sendable {
    private let all = Mutex<[String]>([])
    var paths: [String] { all.withLock { $0 } }
    func add(_ path: String) { all.withLock { $0.append(path) } }
  }

  private func hearing<Value>(
    _ hear: @escaping @Sendable (String) -> Void,
    _ work: () throws -> Value
  ) rethrows -> Value {
    try StoreWaits.reporting(in: folder.url.lastPathComponent, to: hear, work)
  }

  enum Writing: CaseIterable {
    case opening, saving, transaction, metadata, replacing, destroying
  }

  private func write(_ writing: Writing, timeout: Double = 60) throws {
    let options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: timeout]
    switch writing {
    case .opening:
      let store = try coordinator.addPersistentStore(
        type: .sqlite,
        at: folder.file(),
        options: options.merging([NSSQLiteAnalyzeOption: true]) { $1 }
      )
      try coordinator.remove(store)
    case .saving, .transaction:
      let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file(), options: options)
      defer { try? coordinator.remove(store) }
      if writing == .transaction { return try coordinator.performTransaction { _ in } }
      let context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        context.note("one")
        try context.save()
      }
    case .metadata:
      try NSPersistentStoreCoordinator.setMetadata(
        ["a": 1],
        type: .sqlite,
        at: folder.file(),
        options: options
      )
    case .replacing:
      let other = folder.file("other.sqlite")
      if !FileManager.default.fileExists(atPath: other.path) {
        try coordinator.remove(try coordinator.addPersistentStore(type: .sqlite, at: other))
      }
      try coordinator.replacePersistentStore(
        at: folder.file(),
        destinationOptions: options,
        withPersistentStoreFrom: other,
        type: .sqlite
      )
    case .destroying:
      try coordinator.destroyPersistentStore(at: folder.file(), type: .sqlite, options: options)
    }
  }

  /// Opens another connection, which holds the write lock.
  private func lock() throws -> SQLiteConnection {
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let other = try SQLiteConnection(path: folder.file().path, configuration: configuration)
    try other.use { try $0.beginTransaction(.immediate) }
    return other
  }

  @Test(
    "an observer is notified once for each wait of more than a second, however the store is written",
    arguments: Writing.allCases
  )
  func told(_ writing: Writing) throws {
    let (heard, other) = (Heard(), try lock())
    // Only the handler releases the lock, so the store cannot continue without calling it.
    try hearing({ path in
      heard.add(path)
      try? other.use { try $0.rollback() }
    }) { try write(writing) }
    #expect(heard.paths == [folder.file().path])
    try other.close()
  }

  @Test("no observer is called without a lock or with a timeout of 0", arguments: Writing.allCases)
  func silence(_ writing: Writing) throws {
    let heard = Heard()
    try hearing(heard.add) {
      try write(writing)
      // A destroyed store has no metadata.
      if writing == .destroying { return }
      let other = try lock()
      let error = #expect(throws: NSError.self) { try write(writing, timeout: 0) }
      #expect(error?.code == NSPersistentStoreTimeoutError, "\(String(describing: error))")
      #expect(error?.userInfo[NSFilePathErrorKey] as? String == folder.file().path)
      try other.use { try $0.rollback() }
      try other.close()
    }
    #expect(heard.paths.isEmpty)
  }
}
