import CoreData
import Foundation
import Testing

@testable import CoreData

/// The permissions of files that are made from a store that only its owner may read.
@Suite("The permissions of files made from a store")
struct StorePermissionTests {
  private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

  private let folder: TemporaryFolder
  private let model: NSManagedObjectModel
  private let coordinator: NSPersistentStoreCoordinator
  private var store: URL { folder.file("store") }

  init() throws {
    folder = try TemporaryFolder()
    model = TestModel.make()
    model.entitiesByName["Note"]?.attributesByName["body"]?.allowsExternalBinaryDataStorage = true
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  }

  private func mode(_ url: URL) -> mode_t? {
    var status = stat()
    return lstat(url.path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  /// Makes a private store with a note that has a large body.
  private func makeStore(_ type: String, mode: mode_t = 0o600, at place: URL? = nil) throws {
    let url = place ?? self.store
    let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
    #expect(chmod(url.path, mode) == 0)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let note = Note(context: context)
    note.title = "secret"
    note.setValue(Data(repeating: 7, count: 200_000), forKey: "body")
    try context.save()
    try coordinator.remove(store)
  }

  /// The names of all files and folders that others than the owner can access.
  private func accessible() -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
    return names.filter { (mode(folder.file($0)) ?? 0) & 0o077 != 0 }.sorted()
  }

  @Test("the large values of a private store are private, and their folder", arguments: types)
  func largeValues(_ type: String) throws {
    try makeStore(type)
    #expect(accessible() == [])
    let support = folder.file(".store_SUPPORT")
    #expect(mode(support) == (type == NSSQLiteStoreType ? 0o700 : nil))
  }

  @Test("a store that all may read has large values that all may read")
  func publicStore() throws {
    let mask = umask(0o022)
    umask(mask)
    try makeStore(NSSQLiteStoreType, mode: 0o644)
    #expect(mode(folder.file(".store_SUPPORT")) == 0o755 & ~mask)
  }

  @Test("backups, copies and stores of another type are private", arguments: types)
  func copies(_ type: String) throws {
    try makeStore(type)
    try NSPersistentStoreCoordinator.backUpPersistentStore(
      at: store,
      type: .init(rawValue: type),
      to: folder.file("backup")
    )
    try coordinator.replacePersistentStore(
      at: folder.file("copy"),
      withPersistentStoreFrom: store,
      ofType: type
    )
    for other in Self.types {
      let opened = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: store)
      let moved = try coordinator.migratePersistentStore(
        opened,
        to: folder.file("moved-\(other)"),
        options: nil,
        withType: other
      )
      try coordinator.remove(moved)
    }
    #expect(accessible() == [])
    #expect(mode(folder.file("backup")) == 0o600 && mode(folder.file("moved-XML")) == 0o600)
  }

  @Test("a migration object by object makes a private store", arguments: types)
  func migration(_ type: String) throws {
    try makeStore(type)
    let newer = TestModel.make()
    newer.entitiesByName["Tag"]?.attributesByName["name"]?.isOptional = false
    let manager = NSMigrationManager(sourceModel: model, destinationModel: newer)
    try manager.migrateStore(
      from: store,
      type: .init(rawValue: type),
      mapping: NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: newer),
      to: folder.file("newer"),
      type: .init(rawValue: type)
    )
    #expect(accessible() == [])
    #expect(mode(folder.file("newer")) == 0o600)
  }

  @Test("an earlier backup that others may read is private once it is replaced", arguments: types)
  func replacedBackup(_ type: String) throws {
    try makeStore(type)
    let backup = folder.file("backup")
    for replaces in [false, true] {
      try NSPersistentStoreCoordinator.backUpPersistentStore(
        at: store,
        type: .init(rawValue: type),
        to: backup,
        replacingBackup: replaces
      )
      #expect(mode(backup) == 0o600)
      #expect(chmod(backup.path, 0o666) == 0)
    }
    try NSPersistentStoreCoordinator.backUpPersistentStore(
      at: store,
      type: .init(rawValue: type),
      to: backup,
      replacingBackup: true
    )
    #expect(accessible() == [])
  }

  @Test(
    "a store that takes the content of another one keeps what its group may do, unless others would be able to do more",
    arguments: types
  )
  func replaced(_ type: String) throws {
    let mask = umask(0o022)
    umask(mask)
    let cases: [(present: mode_t, content: mode_t, result: mode_t)] = [
      (0o660, 0o600, 0o660), (0o664, 0o600, 0o600), (0o664, 0o640, 0o640), (0o600, 0o644, 0o600),
      (0o664, 0o644, 0o664),
    ]
    for (number, modes) in cases.enumerated() {
      let (source, live) = (folder.file("source-\(number)"), folder.file("live-\(number)"))
      try makeStore(type, mode: modes.content, at: source)
      try makeStore(type, mode: modes.present, at: live)
      try coordinator.replacePersistentStore(at: live, withPersistentStoreFrom: source, ofType: type)
      #expect(mode(live) == modes.result, "\(modes)")
      let names = ExternalDataFolder(store: source).names
      #expect(names.count == (type == NSSQLiteStoreType ? 1 : 0))
      for name in names {
        let values = ExternalDataFolder(store: live).folder
        let allowed = mode(values.appendingPathComponent(name)).map { $0 & 0o044 }
        #expect(allowed == modes.result & 0o044 & ~mask, "\(modes)")
      }
    }
  }

  @Test("a store that could not be replaced keeps its permissions")
  func notReplaced() throws {
    try makeStore(NSSQLiteStoreType)
    let live = folder.file("live")
    try makeStore(NSSQLiteStoreType, mode: 0o664, at: live)
    let lock = try ForeignLock(live)
    #expect(throws: NSError.self) {
      try SQLiteReplacement(file: live, timeout: 0.1).run(with: SQLiteFile(store))
    }
    #expect(mode(live) == 0o664)
    try lock.release()
    try SQLiteReplacement(file: live, timeout: 10).run(with: SQLiteFile(store))
    #expect(mode(live) == 0o600)
  }

  @Test("the copy that a repair makes is private")
  func repair() throws {
    try makeStore(NSSQLiteStoreType)
    try folder.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0", at: store)
    let isMended = try SQLiteStoreCheck(store: store, model: model)
      .repair(copyingTo: folder.file("unrepaired"))
    #expect(isMended)
    #expect(accessible() == [])
    #expect(mode(folder.file("unrepaired")) == 0o600)
    #expect(mode(folder.file(".unrepaired_SUPPORT")) == 0o700)
  }
}
