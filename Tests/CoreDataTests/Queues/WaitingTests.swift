import CoreData
import Foundation
import SQLiteDriver
import Synchronization
import Testing

@testable import CoreData

@Suite("Waiting for other writers")
struct WaitingTests {
  @Test("waiting too long also fails a transaction of many saves, with the remedy")
  func transaction() throws {
    let folder = try TemporaryFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(
      type: .sqlite,
      at: folder.file(),
      options: [NSPersistentStoreTimeoutOption: 0.05]
    )
    let other = try SQLiteConnection(path: folder.file().path)
    try other.use { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      let error = #expect(throws: NSError.self) { try coordinator.performTransaction { _ in } }
      #expect(error?.code == NSPersistentStoreTimeoutError)
      #expect(error?.localizedDescription.contains("NSPersistentStoreTimeoutOption") == true)
      try database.execute(sql: "ROLLBACK")
    }
    try coordinator.performTransaction { context in
      Tag(context: context).name = "t"
      try context.save()
    }
    #expect(try folder.query("SELECT ZNAME FROM ZTAG") == ["t"])
    try coordinator.remove(store)
  }

  @Test("the waiting time of readers is limited too")
  func readers() throws {
    let folder = try TemporaryFolder()
    let path = folder.file().path
    let readers = SQLiteReaders(count: 1, timeout: 0) { try SQLiteConnection(path: path) }
    try readers.with { _ in
      let error = #expect(throws: DatabaseError.self) { try readers.with { _ in } }
      #expect(error?.resultCode == .SQLITE_BUSY)
    }
    try readers.with { _ in }
    try readers.close()
  }

  @Test(
    "any timeout and any number of connections can be asked for",
    arguments: [1e300, -1e300, .nan, .infinity, -.infinity, 0, 1e-300] as [Double]
  )
  func options(timeout: Double) throws {
    let folder = try TemporaryFolder()
    for count in [Int.max, Int.min, 0, 1] {
      let store = try SQLiteStore.open(
        folder,
        options: [
          NSPersistentStoreTimeoutOption: timeout, NSPersistentStoreConnectionPoolMaxSizeKey: count,
        ]
      )
      try store.save(ChangeSet(inserted: [try TestRows.tag("a")]))
      #expect(try !store.rows("Tag").isEmpty)
      try store.close()
    }
  }
}
