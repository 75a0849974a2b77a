import CoreData
import Files
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

/// A process loses SQLite's locks on a database when it closes any file descriptor of the database outside of SQLite.
@Suite("The locks of an open store")
struct LocksTests {
  /// Operations on the open store, or on files next to it.
  enum Work: CaseIterable {
    case changingLargeData, deletingLargeData, backup, backupOfFile, backupOverBackup, maintenance, check,
      health, metadata
    case settingMetadata, copy, opening, openingReadOnly, batches, transaction, pinning, replacingAnother,
      destroyingAnother
    case history
  }

  private let folder: TemporaryFolder
  private let model = TestModel.make()
  private let coordinator: NSPersistentStoreCoordinator
  private let context = NSManagedObjectContext(.privateQueue)
  private let large = Data(count: 200_000)
  private var file: URL { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
    model.entitiesByName["Note"]?.attributesByName["body"]?.allowsExternalBinaryDataStorage = true
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .sqlite,
      at: folder.file(),
      options: [NSPersistentHistoryTrackingKey: true as NSNumber]
    )
    context.persistentStoreCoordinator = coordinator
    for title in ["one", "two"] { note(title) }
    try context.save()
    // One store differs only in its extension, and one has another name.
    for name in ["store.db", "other.sqlite"] {
      let other = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try other.addPersistentStore(type: .sqlite, at: folder.file(name))
      try other.remove(store)
    }
  }

  private func note(_ title: String) {
    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    note.setValue(title, forKey: "title")
    note.setValue(large, forKey: "body")
  }

  private var notes: [NSManagedObject] {
    get throws { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) }
  }

  private var areHeld: Bool {
    FileLocks.isHeld(onFileAt: file.path) && FileLocks.isHeld(onFileAt: file.path + "-shm")
  }

  private func run(_ work: Work) async throws {
    let store = try #require(coordinator.persistentStores.first)
    switch work {
    case .changingLargeData:
      try notes[0].setValue(Data(count: 300_000), forKey: "body")
      try context.save()
    case .deletingLargeData:
      for note in try notes { context.delete(note) }
      try context.save()
    case .backup: _ = try coordinator.backUpPersistentStore(store, to: folder.file("backup.sqlite"))
    case .backupOfFile:
      _ = try NSPersistentStoreCoordinator.backUpPersistentStore(
        at: file,
        type: .sqlite,
        to: folder.file("backup.sqlite")
      )
    case .backupOverBackup:
      let place = folder.file("backup.sqlite")
      _ = try coordinator.backUpPersistentStore(store, to: place)
      _ = try coordinator.backUpPersistentStore(store, to: place, replacingBackup: true)
    case .maintenance: try coordinator.maintainPersistentStore(store)
    case .check: #expect(try SQLiteStoreCheck(store: file, model: model).findings().isEmpty)
    case .health:
      #expect(try await coordinator.health(of: store, deadline: .now + .seconds(86_400)).isHealthy)
    case .metadata:
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: file)
      #expect(SQLiteFile.isDatabase(file.path))
      #expect(StoreFileStart.read(file.path, count: 8) == Data("SQLite f".utf8))
    case .settingMetadata:
      var metadata = coordinator.metadata(for: store)
      metadata["key"] = "value"
      try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: file)
    case .copy: try SQLiteFile(file).copy(to: SQLiteFile(folder.file("copy.sqlite")))
    case .opening, .openingReadOnly:
      let other = NSPersistentStoreCoordinator(managedObjectModel: model)
      let options = work == .opening ? [:] : [NSReadOnlyPersistentStoreOption: true as NSNumber]
      let opened = try other.addPersistentStore(type: .sqlite, at: file, options: options)
      try other.remove(opened)
    case .batches:
      let rows = [["title": "three", "body": large] as [String: Any]]
      try context.execute(NSBatchInsertRequest(entityName: "Note", objects: rows))
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.propertiesToUpdate = ["body": NSExpression(forConstantValue: Data(count: 150_000))]
      try context.execute(update)
      try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Note")))
    case .transaction:
      try coordinator.performTransaction { context in
        for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
          context.delete(note)
        }
        try context.save()
      }
    case .pinning:
      try context.setQueryGenerationFrom(.current)
      #expect(try notes.count == 2)
      try context.setQueryGenerationFrom(nil)
    case .replacingAnother:
      try coordinator.replacePersistentStore(
        at: folder.file("other.sqlite"),
        withPersistentStoreFrom: file,
        type: .sqlite
      )
    case .destroyingAnother:
      for name in ["store.db", "other.sqlite"] {
        try coordinator.destroyPersistentStore(at: folder.file(name), type: .sqlite)
      }
    case .history:
      try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date()))
    }
  }

  #if os(Linux)
    @Test("SQLite's locks survive every operation on an open store", arguments: Work.allCases)
    func stay(_ work: Work) async throws {
      #expect(areHeld)
      try await run(work)
      #expect(areHeld)
      note("last")
      try context.save()
      #expect(areHeld)
      #expect(try folder.query("PRAGMA integrity_check") == ["ok"])
    }
  #endif
}
