import CoreData
import Foundation
import Seeding
import Synchronization
import Testing

@Suite("A shipped store")
final class ShippedStoreTests {
  private let folder: URL
  private let shipped: URL
  private let place: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    shipped = folder.appendingPathComponent("Shipped.sqlite")
    place = folder.appendingPathComponent("Library/Application Support/Notes.sqlite")
    try fill(shipped, journal: "DELETE").close()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Makes a store with two tags, and keeps it open.
  private func fill(_ url: URL, journal: String) throws -> OpenStore {
    let store = try OpenStore(url, journal: journal)
    let seed = "{\"tags\": [{\"name\": \"News\"}, {\"name\": \"Tips\"}]}"
    try Seeder(.data(Data(seed.utf8), name: "seed.json")).runAndWait(in: store.coordinator)
    return store
  }

  private var tagCount: Int {
    get throws {
      let store = try OpenStore(place)
      defer { try? store.close() }
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = store.coordinator
      return try context.performAndWait {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      }
    }
  }

  @Test("a shipped store is copied once, with its identity and its ledger, and never over another store")
  func once() throws {
    #expect(try ShippedStore.file(shipped).copyIfAbsent(to: place))
    #expect(try tagCount == 2)
    let copied = try Data(contentsOf: place)
    try FileManager.default.removeItem(at: shipped)
    #expect(try ShippedStore.file(shipped).copyIfAbsent(to: place) == false)
    #expect(try Data(contentsOf: place) == copied)
    let store = try OpenStore(place)
    defer { try? store.close() }
    let report = try Seeder(
      .data(Data("{\"tags\": [{\"name\": \"News\"}, {\"name\": \"Tips\"}]}".utf8), name: "seed.json")
    ).runAndWait(in: store.coordinator)
    #expect(report.total.skipped == 2)
  }

  @Test("a shipped store is copied for a container before its stores load, also from the main actor")
  @MainActor func container() throws {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: TestModel.notes())
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: place)]
    #expect(try ShippedStore.file(shipped).copyIfAbsent(for: container))
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    #expect(try container.viewContext.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 2)
    #expect(try ShippedStore.file(shipped).copyIfAbsent(for: container) == false)

    let memory = NSPersistentStoreDescription()
    memory.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [memory]
    let error = #expect(throws: SeedError.self) {
      try ShippedStore.file(shipped).copyIfAbsent(for: container)
    }
    #expect(error?.code == .noStore)
  }

  @Test("a shipped store is copied as a whole by one of many concurrent tries")
  func atOnce() throws {
    let (source, place) = (ShippedStore.file(shipped), place)
    for _ in 0..<20 {
      let copies = Mutex(0)
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        if (try? source.copyIfAbsent(to: place)) == true { copies.withLock { $0 += 1 } }
      }
      #expect(copies.withLock { $0 } == 1)
      #expect(try Data(contentsOf: place) == Data(contentsOf: shipped))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: place.deletingLastPathComponent().path) == [
          "Notes.sqlite"
        ]
      )
      try FileManager.default.removeItem(at: place)
    }
  }

  @Test("a shipped store that a killed program has left half-written is refused")
  func halfWritten() throws {
    // The first bytes of a SQLite journal: https://www.sqlite.org/fileformat.html#the_rollback_journal
    let journal = Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]) + Data(count: 504)
    try journal.write(to: URL(fileURLWithPath: shipped.path + "-journal"))
    let error = #expect(throws: SeedError.self) { try ShippedStore.file(shipped).copyIfAbsent(to: place) }
    #expect(error?.code == .unreadableFile && error?.problem.contains("half of its change") == true)
    #expect(!FileManager.default.fileExists(atPath: place.path))
  }

  @Test(
    "a shipped store with a leftover rollback journal is copied, and nothing is rolled back",
    arguments: ["PERSIST", "TRUNCATE"]
  )
  func keptJournal(_ mode: String) throws {
    let other = folder.appendingPathComponent("Other.sqlite")
    let open = try fill(other, journal: mode)
    #expect(FileManager.default.fileExists(atPath: other.path + "-journal"))
    #expect(try ShippedStore.file(other).copyIfAbsent(to: place))
    #expect(try tagCount == 2)
    try open.close()
  }

  @Test("a shipped store is copied with changes that are only in its journal")
  func journal() throws {
    let other = folder.appendingPathComponent("Other.sqlite")
    let open = try fill(other, journal: "WAL")
    let copy = folder.appendingPathComponent("Copy.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: other.path + suffix, toPath: copy.path + suffix)
    }
    try open.close()
    #expect(try ShippedStore.file(copy).copyIfAbsent(to: place))
    #expect(try tagCount == 2)
  }

  @Test("the leftover journal of another store is removed before a shipped store is copied")
  func leftover() throws {
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    let open = try fill(folder.appendingPathComponent("Other.sqlite"), journal: "WAL")
    try FileManager.default.copyItem(
      atPath: folder.appendingPathComponent("Other.sqlite-wal").path,
      toPath: place.path + "-wal"
    )
    try open.close()
    #expect(try ShippedStore.file(shipped).copyIfAbsent(to: place))
    #expect(!FileManager.default.fileExists(atPath: place.path + "-wal"))
    #expect(try tagCount == 2)
  }

  /// Adds files of large values next to the shipped store. Its rows need not refer to them.
  private func addExternalData(_ store: URL) throws -> [String] {
    let data = folder.appendingPathComponent(
      ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA"
    )
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let names = (0..<3).map { _ in UUID().uuidString }.sorted()
    for name in names { try Data(name.utf8).write(to: data.appendingPathComponent(name)) }
    try Data("no value".utf8).write(to: data.appendingPathComponent("README"))
    return names
  }

  private var copiedData: URL {
    place.deletingLastPathComponent().appendingPathComponent(".Notes_SUPPORT/_EXTERNAL_DATA")
  }

  @Test(
    "a shipped store is copied with the files of its large values, renamed for the copy, and without others"
  )
  func externalData() throws {
    let names = try addExternalData(shipped)
    #expect(try ShippedStore.file(shipped).copyIfAbsent(to: place))
    #expect(try FileManager.default.contentsOfDirectory(atPath: copiedData.path).sorted() == names)
    for name in names {
      #expect(try Data(contentsOf: copiedData.appendingPathComponent(name)) == Data(name.utf8))
    }
    let all = try FileManager.default.contentsOfDirectory(atPath: place.deletingLastPathComponent().path)
    #expect(all.sorted() == [".Notes_SUPPORT", "Notes.sqlite"])
    #expect(try tagCount == 2)
  }

  @Test("a shipped store with large values is copied once by many concurrent tries")
  func externalDataAtOnce() throws {
    let names = try addExternalData(shipped)
    let (source, place) = (ShippedStore.file(shipped), place)
    for _ in 0..<20 {
      let copies = Mutex(0)
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        if (try? source.copyIfAbsent(to: place)) == true { copies.withLock { $0 += 1 } }
      }
      #expect(copies.withLock { $0 } == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: copiedData.path).sorted() == names)
      try FileManager.default.removeItem(at: place.deletingLastPathComponent())
    }
  }

  @Test(
    "a shipped store is not copied if another file has the name of a large value, or if a link is in the way"
  )
  func occupiedExternalData() throws {
    let names = try addExternalData(shipped)
    try FileManager.default.createDirectory(at: copiedData, withIntermediateDirectories: true)
    let other = copiedData.appendingPathComponent(names[1])
    try Data("another".utf8).write(to: other)
    let error = #expect(throws: SeedError.self) { try ShippedStore.file(shipped).copyIfAbsent(to: place) }
    #expect(error?.code == .storeFailed && error?.problem.contains(names[1]) == true)
    #expect(!FileManager.default.fileExists(atPath: place.path))
    #expect(try Data(contentsOf: other) == Data("another".utf8))

    let elsewhere = folder.appendingPathComponent("elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.removeItem(at: copiedData)
    try FileManager.default.createSymbolicLink(at: copiedData, withDestinationURL: elsewhere)
    #expect(throws: SeedError.self) { try ShippedStore.file(shipped).copyIfAbsent(to: place) }
    #expect(!FileManager.default.fileExists(atPath: place.path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
  }

  @Test("a read-only shipped store becomes a writable copy")
  func permissions() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: NSNumber(value: 0o444)],
      ofItemAtPath: shipped.path
    )
    #expect(try ShippedStore.file(shipped).copyIfAbsent(to: place))
    let mode = try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o644)
  }

  @Test("a shipped store that is missing or not a database is one error, and leaves nothing")
  func missing() throws {
    let missing = #expect(throws: SeedError.self) {
      try ShippedStore.bundle(.main, "Missing.sqlite").copyIfAbsent(to: place)
    }
    #expect(missing?.code == .unreadableFile)
    #expect(missing?.description.hasPrefix("Missing.sqlite: there is no such resource in the bundle") == true)
    try Data("version https://git-lfs.github.com/spec/v1\n".utf8).write(to: shipped)
    let pointer = #expect(throws: SeedError.self) { try ShippedStore.file(shipped).copyIfAbsent(to: place) }
    #expect(pointer?.problem == "this is not a SQLite store")
    #expect(!FileManager.default.fileExists(atPath: place.deletingLastPathComponent().path))
  }
}

/// A store of notes in a file.
private struct OpenStore {
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.notes())

  init(_ url: URL, journal: String = "WAL") throws {
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: url,
      options: [NSSQLitePragmasOption: ["journal_mode": journal]]
    )
  }

  func close() throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}
