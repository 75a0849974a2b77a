import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Backing up atomic stores")
struct AtomicBackupTests {
  private func place(_ stack: Stack) -> URL { stack.folder.appendingPathComponent("backup") }

  private func list(_ stack: Stack) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: stack.folder.path).sorted()
  }

  @Test("an atomic backup writes a file, and replaces backups only", arguments: [StoreKind.xml, .binary])
  func files(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let store = stack.coordinator.persistentStores[0]
    stack.note("one")
    try stack.save()
    let file = try #require(store.url)
    let backup = try stack.coordinator.backUpPersistentStore(store, to: place(stack))
    let first = try Data(contentsOf: file)
    #expect(try Data(contentsOf: place(stack)) == first)
    #expect(backup.byteCount == Int64(first.count) && backup.identifier == store.identifier)
    stack.note("two")
    try stack.save()
    for url in [place(stack), file] {
      let error = #expect(throws: NSError.self) {
        try stack.coordinator.backUpPersistentStore(store, to: url)
      }
      #expect(error?.code == CocoaError.fileWriteFileExists.rawValue)
    }
    #expect(try Data(contentsOf: place(stack)) == first)
    let type = NSPersistentStore.StoreType(rawValue: kind.storeType)
    try NSPersistentStoreCoordinator.backUpPersistentStore(
      at: file,
      type: type,
      to: place(stack),
      replacingBackup: true
    )
    #expect(try Data(contentsOf: place(stack)) == Data(contentsOf: file))
    #expect(try Data(contentsOf: file) != first)
    try Data("mine".utf8).write(to: place(stack))
    #expect(throws: NSError.self) {
      try stack.coordinator.backUpPersistentStore(store, to: place(stack), replacingBackup: true)
    }
    #expect(try Data(contentsOf: place(stack)) == Data("mine".utf8))
    #expect(try list(stack) == ["backup", "store"])
  }

  @Test("a progress that was cancelled leaves nothing")
  func cancelled() throws {
    let stack = try Stack(.xml)
    let progress = Progress(totalUnitCount: 0)
    progress.cancel()
    let error = #expect(throws: NSError.self) {
      try stack.coordinator.backUpPersistentStore(
        stack.coordinator.persistentStores[0],
        to: place(stack),
        progress: progress
      )
    }
    #expect(error?.code == CocoaError.userCancelled.rawValue)
    #expect(try list(stack) == ["store"])
  }

  @Test(
    "the error for a store that cannot be backed up names the types that can",
    arguments: [StoreKind.inMemory, .atomic, .incremental]
  )
  func others(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let store = stack.coordinator.persistentStores[0]
    let backup = #expect(throws: NSError.self) {
      try stack.coordinator.backUpPersistentStore(store, to: place(stack))
    }
    let maintenance = #expect(throws: NSError.self) {
      try stack.coordinator.maintainPersistentStore(store)
    }
    for error in [backup, maintenance] {
      #expect(error?.code == NSPersistentStoreInvalidTypeError)
      #expect(error?.localizedDescription.contains(kind.storeType) == true)
      #expect(error?.localizedDescription.contains("SQLite") == true)
    }
    #expect(!FileManager.default.fileExists(atPath: place(stack).path))
  }
}
