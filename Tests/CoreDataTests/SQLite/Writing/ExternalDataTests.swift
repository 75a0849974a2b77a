import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Data outside of the database")
struct ExternalDataTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let model: NSManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    model = TestModel.make()
    model.entitiesByName["Note"]?.attributesByName["body"]?.allowsExternalBinaryDataStorage = true
    store = try SQLiteStore.open(folder, model: model)
  }

  private func files() -> [String] {
    let path = folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA").path
    return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private func insert(_ data: Data) throws -> FetchedRow {
    try store.save(
      ChangeSet(inserted: [
        try TestRows.insertion("Note", ["title": .text("n"), "body": .data(data)], in: model)
      ])
    )
    return try #require(try store.rows("Note", in: model).last)
  }

  private func body(_ fetched: FetchedRow) throws -> Data? {
    guard case .data(let data)? = fetched.row?.value(try TestRows.slot("body", fetched.layout)) else {
      return nil
    }
    return data
  }

  private let big = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })

  @Test("small values stay in the column after a marker byte")
  func small() throws {
    let fetched = try insert(Data([7, 8]))
    #expect(try body(fetched) == Data([7, 8]))
    #expect(try folder.query("SELECT hex(ZBODY) FROM ZNOTE") == ["010708"])
    #expect(files().isEmpty)
    #expect(try store.rows("Note", "body == nil", in: model).isEmpty)
  }

  @Test("large values get a file of their own that the column names")
  func large() throws {
    let fetched = try insert(big)
    #expect(try body(fetched) == big)
    let columns: [Data] = try folder.query("SELECT ZBODY FROM ZNOTE")
    let column = try #require(columns.first)
    #expect(column.count == 38 && column.first == 2 && column.last == 0)
    #expect(files() == [String(decoding: column[1..<37], as: UTF8.self)])
  }

  @Test("the file goes with the value, and not before the save is kept")
  func replaced() throws {
    let fetched = try insert(big)
    let name = files()
    let update = try TestRows.update(fetched, ["body": .data(Data([1]))])
    let lost = ObjectReference(key: TemporaryKey.next(), entity: 2, store: -1)
    let broken = try TestRows.insertion(
      "Note",
      ["title": .text("x"), "body": .data(big), "category": .reference(lost)],
      in: model
    )
    #expect(throws: NSError.self) { try store.commit(ChangeSet(inserted: [broken], updated: [update])) }
    #expect(files() == name)
    #expect(try body(try #require(try store.rows("Note", in: model).first)) == big)
    try store.save(ChangeSet(updated: [update]))
    #expect(files().isEmpty)
  }

  @Test("deleting an object deletes its file, one by one and in a batch")
  func deleted() throws {
    let first = try insert(big)
    _ = try insert(big)
    _ = try insert(big)
    #expect(files().count == 3)
    try store.save(ChangeSet(deleted: [TestRows.deletion(first)]))
    #expect(files().count == 2)
    let all = BatchDeletion(query: FetchQuery(entity: try TestRows.entity("Note", in: model)))
    #expect(try store.deleteAll(all).count == 2)
    #expect(files().isEmpty)
  }

  private func path(_ name: String) -> String {
    folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA/\(name)").path
  }

  @Test("a file that is gone fails its own value, with its name, and nothing else of the row")
  func missing() throws {
    _ = try insert(big)
    let name = files()[0]
    try FileManager.default.removeItem(atPath: path(name))
    let fetched = try #require(try store.rows("Note", in: model).first)
    let row = try #require(fetched.row)
    let slot = try TestRows.slot("body", fetched.layout)
    guard case .text("n") = row.value(try TestRows.slot("title", fetched.layout)) else {
      Issue.record("the title is not read")
      return
    }
    let words = try #require(row.failure(slot)).error.localizedDescription
    for part in ["store.sqlite", "Note.body", "ZNOTE.ZBODY of the row 1", name, "perennial check --repair"] {
      #expect(words.contains(part), "\(words)")
    }
    try store.save(ChangeSet(updated: [try TestRows.update(fetched, ["title": .text("other")])]))
    #expect(try folder.query("SELECT hex(substr(ZBODY, 2, 36)) FROM ZNOTE") == [hex(name)])
    let again = try #require(try store.rows("Note", "title == 'other'", in: model).first)
    try store.save(ChangeSet(deleted: [TestRows.deletion(again)]))
    #expect(try store.rows("Note", in: model).isEmpty)
  }

  private func hex(_ name: String) -> String { name.utf8.map { String(format: "%02X", $0) }.joined() }

  @Test("the check names a value whose file is missing, and clears it")
  func cleared() throws {
    _ = try insert(big)
    try FileManager.default.removeItem(atPath: path(files()[0]))
    try store.close()
    let check = try SQLiteStoreCheck(store: folder.file(), model: model)
    let findings = try check.findings()
    #expect(findings.map(\.kind) == [.externalData] && findings[0].isRepairable)
    try check.repair(copyingTo: folder.file("copy.sqlite"))
    #expect(try check.findings() == [])
    #expect(try folder.query("SELECT COUNT(*) FROM ZNOTE WHERE ZBODY IS NULL AND Z_OPT = 2") == [1])
  }

  @Test("a link is followed neither in the folder nor in its place", arguments: [true, false])
  func links(_ isOfFolder: Bool) throws {
    _ = try insert(big)
    let support = folder.url.appendingPathComponent(".store_SUPPORT")
    let elsewhere = folder.url.appendingPathComponent("elsewhere")
    if isOfFolder {
      try FileManager.default.moveItem(at: support, to: elsewhere)
      try FileManager.default.createSymbolicLink(at: support, withDestinationURL: elsewhere)
    } else {
      let file = path(files()[0])
      try FileManager.default.moveItem(atPath: file, toPath: elsewhere.path)
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: elsewhere.path)
    }
    let fetched = try #require(try store.rows("Note", in: model).first)
    let slot = try TestRows.slot("body", fetched.layout)
    #expect(fetched.row?.hasValue(slot) == false)
    #expect(fetched.row?.failure(slot)?.error.localizedDescription.contains("symbolic link") == true)
    try store.save(ChangeSet(deleted: [TestRows.deletion(fetched)]))
    #expect(FileManager.default.fileExists(atPath: elsewhere.path))
    if isOfFolder { #expect(throws: NSError.self) { try insert(big) } }
  }

  @Test("a file stays as long as a reader has a state that refers to it")
  func readers() throws {
    let first = try insert(big)
    let name = files()
    let reader = try SQLiteConnection(path: folder.file().path, configuration: holding)
    try reader.use { database in
      try database.execute(sql: "BEGIN")
      _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZNOTE")
    }
    try store.save(ChangeSet(updated: [try TestRows.update(first, ["body": .data(Data([1]))])]))
    #expect(files() == name)
    try reader.close()
    try store.close()
    #expect(files().isEmpty)
  }

  private var holding: SQLiteConfiguration {
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    return configuration
  }

  @Test("a state that is pinned keeps its files")
  func pinned() throws {
    let first = try insert(big)
    let snapshot = try #require(try store.snapshot() as? SQLiteSnapshot)
    try store.save(ChangeSet(deleted: [TestRows.deletion(first)]))
    let query = FetchQuery(entity: try TestRows.entity("Note", in: model))
    #expect(try body(try #require(try snapshot.fetch(query).first)) == big)
    try snapshot.close()
    _ = try insert(big)
    try store.save(
      ChangeSet(deleted: [TestRows.deletion(try #require(try store.rows("Note", in: model).last))])
    )
    #expect(files().isEmpty)
  }

  @Test("a store that shares its folder with another removes nothing from it")
  func shared() throws {
    let first = try insert(big)
    let name = files()
    try folder.execute("CREATE TABLE other (value)", at: folder.file("store.db"))
    try store.save(ChangeSet(deleted: [TestRows.deletion(first)]))
    try store.close()
    #expect(files() == name)
    let findings = try SQLiteStoreCheck(store: folder.file(), model: model).findings()
    #expect(findings.map(\.isRepairable) == [false])
    try SQLiteStore.destroy(at: folder.file(), options: [NSPersistentStoreForceDestroyOption: true])
    #expect(files() == name)
  }

  @Test("a file name that is not a UUID is never followed")
  func path() throws {
    _ = try insert(Data([1]))
    let name = Data("../../../../../../../../../etc/passwd____".utf8.prefix(36))
    try folder.execute("UPDATE ZNOTE SET ZBODY = x'02\(name.map { String(format: "%02x", $0) }.joined())00'")
    #expect(try body(try #require(try store.rows("Note", in: model).first))?.first == 2)
  }

  @Test("an equal value is found in the column with its marker byte")
  func compared() throws {
    _ = try insert(Data([7, 8]))
    var query = FetchQuery(entity: try TestRows.entity("Note", in: model))
    query.predicate = try NSPredicate(parsing: "body == %@", arguments: [Data([7, 8])])
    #expect(try store.count(query) == 1)
  }
}
