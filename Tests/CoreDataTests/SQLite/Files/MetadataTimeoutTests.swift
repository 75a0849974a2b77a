import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Metadata of a store that is not open, and that another program writes")
struct MetadataTimeoutTests {
  private let folder: TemporaryFolder
  private let options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 0]

  init() throws {
    folder = try TemporaryFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    // Without WAL mode, a writer keeps other connections from reading.
    let pragmas = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file(), options: pragmas)
    try coordinator.remove(store)
  }

  @Test("metadata of a locked store are read and written within the timeout of the options")
  func exclusive() throws {
    let other = try SQLiteConnection(path: folder.file().path)
    try other.use { database in
      try database.execute(sql: "BEGIN EXCLUSIVE")
      let reading = #expect(throws: NSError.self) {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(
          type: .sqlite,
          at: folder.file(),
          options: options
        )
      }
      let writing = #expect(throws: NSError.self) {
        try NSPersistentStoreCoordinator.setMetadata(
          ["a": 1],
          type: .sqlite,
          at: folder.file(),
          options: options
        )
      }
      for error in [reading, writing] {
        #expect(error?.code == NSPersistentStoreTimeoutError)
        #expect(error?.localizedDescription.contains(folder.file().path) == true)
      }
      try database.execute(sql: "ROLLBACK")
    }
    try other.close()
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: folder.file(),
      options: options
    )
    metadata["a"] = 1
    try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: folder.file(), options: options)
    metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: folder.file())
    #expect(metadata["a"] as? Int == 1)
  }
}
