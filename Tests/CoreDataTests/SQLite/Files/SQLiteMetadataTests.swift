import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Metadata of a SQLite store")
struct SQLiteMetadataTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func plist() throws -> [String: Any] {
    let data: [Data] = try folder.query("SELECT Z_PLIST FROM Z_METADATA")
    let bytes = try #require(data.first)
    #expect(bytes.starts(with: Data("bplist00".utf8)))
    let list = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    return try #require(list as? [String: Any])
  }

  @Test("a store's metadata are one row with exactly the keys of a recent framework")
  func keys() throws {
    let store = try SQLiteStore.open(folder)
    try store.close()
    let plist = try plist()
    #expect(
      plist.keys.sorted() == [
        "NSPersistenceFrameworkVersion", "NSStoreModelVersionChecksumKey", "NSStoreModelVersionHashes",
        "NSStoreModelVersionHashesDigest", "NSStoreModelVersionHashesVersion",
        "NSStoreModelVersionIdentifiers",
        "NSStoreType", "_NSAutoVacuumLevel",
      ]
    )
    #expect(plist["NSStoreType"] as? String == "SQLite")
    #expect(plist["_NSAutoVacuumLevel"] as? String == "2")
    #expect(plist["NSStoreModelVersionHashesVersion"] as? Int == 3)
    #expect(plist["NSPersistenceFrameworkVersion"] as? Int == 1344)
    #expect(
      plist["NSStoreModelVersionHashes"] as? [String: Data] == TestModel.shared.entityVersionHashesByName
    )
    #expect(plist["NSStoreModelVersionChecksumKey"] as? String == TestModel.shared.versionChecksum)
    #expect(plist["NSStoreModelVersionHashesDigest"] as? String == TestModel.shared.versionHashesDigest)
    #expect(try folder.query("SELECT Z_VERSION FROM Z_METADATA") == [1])
    let uuids: [String] = try folder.query("SELECT Z_UUID FROM Z_METADATA")
    #expect(uuids.first.flatMap(UUID.init)?.uuidString == store.identifier)
    #expect(try folder.query("SELECT COUNT(*) FROM Z_MODELCACHE") == [1])
  }

  @Test("metadata of any size are read as they were written", arguments: [999_000, 1_100_000, 3_000_000])
  func sizes(_ count: Int) throws {
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let store = try SQLiteStore.open(folder)
    let metadata = try #require(store.metadata).merging(["data": data, "word": "one"]) { $1 }
    try store.close()
    func expectAll(in read: [String: Any]?) {
      #expect(read?["data"] as? Data == data)
      #expect(read?["word"] as? String == "one")
      #expect(read?[NSStoreUUIDKey] as? String == store.identifier)
    }
    let (type, file) = (NSSQLiteStoreType, folder.file())
    try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: type, at: file)
    let plist = try plist()
    #expect(plist["data"] as? Data == data)
    // Other programs may have written the list in XML, also as a text.
    for cast in ["", "CAST(Z_PLIST AS TEXT)"] {
      let again = try SQLiteStore.open(folder)
      expectAll(in: again.metadata)
      try again.close()
      let list = try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
      try SQLiteConnection(path: file.path).write { database in
        try database.execute(sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [list])
        if !cast.isEmpty { try database.execute(sql: "UPDATE Z_METADATA SET Z_PLIST = \(cast)") }
      }
      expectAll(in: try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: file))
    }
  }

  @Test("metadata include type and identity, for an open store and for a closed one")
  func answered() throws {
    let store = try SQLiteStore.open(folder)
    #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
    #expect(store.metadata[NSStoreTypeKey] as? String == "SQLite")
    try store.close()
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType,
      at: folder.file()
    )
    #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
    #expect(TestModel.shared.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test("an application's metadata are stored with the next save, and not before")
  func setByApplication() throws {
    let store = try SQLiteStore.open(folder)
    store.metadata["seed"] = "v1"
    #expect(store.metadata["seed"] as? String == "v1")
    #expect(try plist()["seed"] == nil)
    try store.save(ChangeSet(inserted: [try TestRows.tag("x")]))
    #expect(try plist()["seed"] as? String == "v1")
    store.metadata["seed"] = "v2"
    try store.save(ChangeSet())
    #expect(try plist()["seed"] as? String == "v2")
    try store.close()
    #expect(try SQLiteStore.open(folder).metadata["seed"] as? String == "v2")
  }

  @Test("a failed save rolls metadata back")
  func failingSave() throws {
    let store = try SQLiteStore.open(folder)
    store.metadata["seed"] = "v1"
    let lost = ObjectReference(key: -1_000_000, entity: 2, store: -1)
    let note = try TestRows.insertion("Note", ["title": .text("x"), "category": .reference(lost)])
    #expect(throws: NSError.self) { try store.commit(ChangeSet(inserted: [note])) }
    #expect(try plist()["seed"] == nil)
    try store.save(ChangeSet(inserted: [try TestRows.tag("x")]))
    #expect(try plist()["seed"] as? String == "v1")
  }

  @Test("a failed transaction rolls metadata back", arguments: [(10, 20), (10, 2_000_000), (2_000_000, 2_000_000)])
  func failingTransaction(_ first: Int, _ second: Int) throws {
    let store = try SQLiteStore.open(folder)
    store.metadata["data"] = Data(repeating: 1, count: first)
    try store.save(ChangeSet())
    try store.close()
    let (file, connection) = (folder.file(), try SQLiteConnection(path: folder.file().path))
    #expect(throws: CancellationError.self) {
      try connection.write { database in
        var metadata = try #require(try StoreMetadata.read(from: database, file: file))
        metadata.properties["data"] = Data(repeating: 2, count: second)
        try metadata.write(to: database, file: file, isNew: false)
        throw CancellationError()
      }
    }
    #expect(try plist()["data"] as? Data == Data(repeating: 1, count: first))
  }

  @Test("large metadata that are written again take the pages of the former ones")
  func pages() throws {
    let store = try SQLiteStore.open(folder)
    var counts: [Int] = []
    for number: UInt8 in 1...4 {
      store.metadata["data"] = Data(repeating: number, count: 3_000_000)
      try store.save(ChangeSet())
      counts += try folder.query("PRAGMA page_count")
    }
    #expect(Set(counts).count == 1 && counts.count == 4, "\(counts)")
    #expect(try plist()["data"] as? Data == Data(repeating: 4, count: 3_000_000))
  }

  @Test("metadata that another coordinator keeps under other keys stay")
  func shared() throws {
    let (one, other) = (try SQLiteStore.open(folder), try SQLiteStore.open(folder))
    one.metadata["one"] = 1
    other.metadata["other"] = 2
    try one.save(ChangeSet())
    try other.save(ChangeSet())
    #expect(other.metadata["one"] as? Int == 1)
    let plist = try plist()
    #expect(plist["one"] as? Int == 1)
    #expect(plist["other"] as? Int == 2)
    other.metadata["one"] = nil
    try other.save(ChangeSet())
    #expect(try self.plist()["one"] == nil)
  }

  @Test("metadata of the store itself cannot be replaced")
  func ownKeys() throws {
    let store = try SQLiteStore.open(folder)
    store.metadata = [NSStoreTypeKey: "Other", NSStoreUUIDKey: "x", "mine": 1]
    #expect(store.metadata[NSStoreTypeKey] as? String == "SQLite")
    #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
    #expect(store.metadata["mine"] as? Int == 1)
  }

  @Test("metadata that no property list supports are refused by key, with the save")
  func unwritable() throws {
    let store = try SQLiteStore.open(folder)
    store.metadata["odd"] = Thread.current
    let error = #expect(throws: NSError.self) {
      try store.commit(ChangeSet(inserted: [try TestRows.tag("x")]))
    }
    #expect(error?.localizedDescription.contains("odd") == true)
    #expect(try store.rows("Tag").isEmpty)
  }

  @Test("metadata of a closed store can be set")
  func setWhenClosed() throws {
    try SQLiteStore.open(folder).close()
    try NSPersistentStoreCoordinator.setMetadata(
      ["a": [1, 2]],
      forPersistentStoreOfType: NSSQLiteStoreType,
      at: folder.file()
    )
    #expect(try plist()["a"] as? [Int] == [1, 2])
    #expect(try plist()["NSStoreType"] as? String == "SQLite")
  }

  @Test("setting the identifier of a closed store makes it another store")
  func identity() throws {
    let first = try SQLiteStore.open(folder)
    let metadata = try #require(first.metadata)
    try first.close()
    let identifier = UUID().uuidString
    try NSPersistentStoreCoordinator.setMetadata(
      metadata.merging([NSStoreUUIDKey: identifier]) { $1 },
      forPersistentStoreOfType: NSSQLiteStoreType,
      at: folder.file()
    )
    let second = try SQLiteStore.open(folder)
    defer { try? second.close() }
    #expect(second.identifier == identifier)
  }

  @Test("damaged metadata are an error that names the file")
  func damaged() throws {
    try SQLiteStore.open(folder).close()
    try folder.execute("UPDATE Z_METADATA SET Z_PLIST = x'00010203'")
    let error = #expect(throws: NSError.self) { try SQLiteStore.open(folder) }
    #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
    #expect(error?.localizedDescription.contains(folder.file().path) == true)
  }

  @Test("reading metadata of a missing store is an error")
  func missing() {
    #expect(throws: NSError.self) {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType,
        at: folder.file()
      )
    }
  }
}
