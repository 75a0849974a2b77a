import CoreData
import Foundation
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

  @Test("small values stay in the column behind a mark")
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

  @Test("a file that is gone is an error of that value alone, and names the row")
  func missing() throws {
    _ = try insert(big)
    try FileManager.default.removeItem(
      at: folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA/\(files()[0])")
    )
    let row = try #require(try store.rows("Note", in: model).first?.row)
    #expect(row.failures.map(\.slot) == [try TestRows.slot("body", row.layout)])
    let error = try #require(row.failures.first?.failure.error)
    #expect(error.localizedDescription.contains("ZNOTE.ZBODY of the row 1"))
  }

  @Test("a name that is no UUID is never followed")
  func path() throws {
    _ = try insert(Data([1]))
    let name = Data("../../../../../../../../../etc/passwd____".utf8.prefix(36))
    try folder.execute("UPDATE ZNOTE SET ZBODY = x'02\(name.map { String(format: "%02x", $0) }.joined())00'")
    #expect(try body(try #require(try store.rows("Note", in: model).first))?.first == 2)
  }

  @Test("an equal value is found behind the mark")
  func compared() throws {
    _ = try insert(Data([7, 8]))
    var query = FetchQuery(entity: try TestRows.entity("Note", in: model))
    query.predicate = try NSPredicate(parsing: "body == %@", arguments: [Data([7, 8])])
    #expect(try store.count(query) == 1)
  }
}
