import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Saving into SQLite")
struct SQLiteSavingTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore.open(folder)
  }

  @Test("a save inserts rows with keys in the order of the objects, version 1 and the entity's number")
  func insert() throws {
    let tags = try ["a", "b", "c"].map(TestRows.tag)
    let permanent = try store.save(ChangeSet(inserted: tags))
    #expect(tags.map { permanent[$0.reference.key]?.key } == [1, 2, 3])
    let rows: [String] = try folder.query("SELECT Z_PK || Z_ENT || Z_OPT || ZNAME FROM ZTAG ORDER BY Z_PK")
    #expect(rows == ["171a", "271b", "371c"])
    #expect(try folder.query("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'") == [3])
  }

  @Test("a save writes every attribute type as Apple-made stores have it, and reads it back")
  func types() throws {
    let uuid = UUID()
    let values: [String: StoredValue] = [
      "title": .text("Grüße 🎉\u{0} end"), "rating": .integer(.min), "createdAt": .real(-1.5),
      "isPinned": .integer(1),
      "small": .integer(-7), "medium": .integer(70000), "ratio": .real(0.1),
      "share": .real(Double(Float(0.1))),
      "price": .decimal(Decimal(string: "10.11") ?? 0), "body": .data(Data()), "identifier": .uuid(uuid),
      "link": .object(URL(string: "https://a.b/c?d#e") ?? folder.url),
    ]
    try store.save(ChangeSet(inserted: [try TestRows.insertion("Note", values)]))
    let fetched = try #require(try store.rows("Note").first)
    for (name, value) in values {
      let slot = try TestRows.slot(name, fetched.layout)
      #expect("\(try #require(fetched.row).value(slot))" == "\(value)")
    }
    #expect(
      try folder.query(
        """
        SELECT typeof(ZTITLE) || typeof(ZRATING) || typeof(ZCREATEDAT) || typeof(ZISPINNED) || typeof(ZPRICE)
        || typeof(ZBODY) || typeof(ZIDENTIFIER) || length(ZIDENTIFIER) || typeof(ZLINK) FROM ZNOTE
        """
      ) == ["textintegerrealintegerrealblobblob16text"]
    )
  }

  @Test("an update writes the changed columns and counts the version up")
  func update() throws {
    try store.save(
      ChangeSet(inserted: [try TestRows.insertion("Note", ["title": .text("a"), "rating": .integer(1)])])
    )
    let fetched = try #require(try store.rows("Note").first)
    try folder.execute("UPDATE ZNOTE SET ZRATING = 9")
    try store.save(ChangeSet(updated: [try TestRows.update(fetched, ["title": .text("b")])]))
    #expect(try folder.query("SELECT ZTITLE || ZRATING || Z_OPT FROM ZNOTE") == ["b92"])
    try store.save(
      ChangeSet(updated: [try TestRows.update(try #require(try store.rows("Note").first), ["title": .null])])
    )
    #expect(try folder.query("SELECT Z_OPT FROM ZNOTE WHERE ZTITLE IS NULL") == [3])
  }

  @Test("rows that others changed or deleted are conflicts, and nothing of the save is kept")
  func conflicts() throws {
    try store.save(ChangeSet(inserted: try ["a", "b", "c"].map(TestRows.tag)))
    let rows = try store.rows("Tag")
    try folder.execute(
      "UPDATE ZTAG SET ZNAME = 'other', Z_OPT = 5 WHERE Z_PK = 1; DELETE FROM ZTAG WHERE Z_PK = 2"
    )
    let changes = ChangeSet(
      inserted: [try TestRows.tag("new")],
      updated: [
        try TestRows.update(rows[0], ["name": .text("mine")]),
        try TestRows.update(rows[2], ["name": .text("z")]),
      ],
      deleted: [TestRows.deletion(rows[1])]
    )
    guard case .conflicts(let conflicts) = try store.commit(changes) else {
      Issue.record("no conflicts")
      return
    }
    #expect(conflicts.map(\.reference.key).sorted() == [1, 2])
    let changed = conflicts.first { $0.reference.key == 1 }?.persisted
    #expect(changed?.version == 5)
    #expect("\(changed?.value(0) ?? .null)" == "text(\"other\")")
    #expect(conflicts.first { $0.reference.key == 2 }?.persisted == nil)
    #expect(try folder.query("SELECT ZNAME FROM ZTAG ORDER BY Z_PK") == ["other", "c"])
  }

  @Test("a row without a version, as other programs may write them, can be changed")
  func noVersion() throws {
    try store.save(ChangeSet(inserted: [try TestRows.tag("a")]))
    try folder.execute("UPDATE ZTAG SET Z_OPT = NULL")
    let fetched = try #require(try store.rows("Tag").first)
    try store.save(ChangeSet(updated: [try TestRows.update(fetched, ["name": .text("b")])]))
    #expect(try folder.query("SELECT ZNAME || Z_OPT FROM ZTAG") == ["b1"])
  }

  @Test("keys are reserved once, whatever rows there are already")
  func keys() throws {
    let layout = try TestRows.entity("Tag").layout
    let new = (0..<3).map { _ in
      NewObject(
        reference: ObjectReference(key: TemporaryKey.next(), entity: layout.number, store: -1),
        layout: layout
      )
    }
    #expect(try store.permanentReferences(for: new).map(\.key) == [1, 2, 3])
    try store.save(ChangeSet(inserted: [try TestRows.tag("a")]))
    #expect(try folder.query("SELECT Z_PK FROM ZTAG") == [4])
    try folder.execute("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (50, 7, 1)")
    try store.save(ChangeSet(inserted: [try TestRows.tag("b")]))
    #expect(try folder.query("SELECT Z_PK FROM ZTAG WHERE ZNAME = 'b'") == [51])
    let reserved = try TestRows.insertion("Tag", ["name": .text("c")], key: 2)
    try store.save(ChangeSet(inserted: [reserved]))
    #expect(try folder.query("SELECT ZNAME FROM ZTAG WHERE Z_PK = 2") == ["c"])
  }

  @Test("a violated uniqueness constraint is reported with the conflicting row, and nothing is stored")
  func constraint() throws {
    let model = TestModel.make()
    let folder = try TemporaryFolder()
    model.entitiesByName["Tag"]?.uniquenessConstraints = [["name"]]
    let store = try SQLiteStore.open(folder, model: model)
    try store.save(ChangeSet(inserted: [try TestRows.insertion("Tag", ["name": .text("a")], in: model)]))
    let changes = ChangeSet(
      inserted: try ["b", "a"].map { try TestRows.insertion("Tag", ["name": .text($0)], in: model) }
    )
    guard case .violations(let violations) = try store.commit(changes) else {
      Issue.record("no violation was found")
      return
    }
    #expect(violations.map(\.constraint.names) == [["name"]])
    #expect(violations.map(\.reference) == [changes.inserted[1].reference])
    #expect(violations.map { $0.holder?.key } == [1])
    #expect(violations.first?.persisted?.version == 1)
    #expect(try store.rows("Tag", in: model).count == 1)
    let old = try #require(try store.rows("Tag", in: model).first)
    let replacement = try TestRows.insertion("Tag", ["name": .text("a")], in: model)
    try store.save(ChangeSet(inserted: [replacement], deleted: [TestRows.deletion(old)]))
  }

  @Test("a save waits for another process as long as the option says")
  func busy() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(folder, options: [NSPersistentStoreTimeoutOption: 0.05])
    let other = try SQLiteConnection(path: folder.file().path)
    try other.use { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      let error = #expect(throws: NSError.self) {
        try store.commit(ChangeSet(inserted: [try TestRows.tag("a")]))
      }
      #expect(error?.code == NSPersistentStoreTimeoutError)
      #expect(error?.userInfo[NSSQLiteErrorDomain] as? Int == 5)
      #expect(try store.rows("Tag").isEmpty)
      try database.execute(sql: "ROLLBACK")
    }
    try store.save(ChangeSet(inserted: [try TestRows.tag("a")]))
  }

  @Test("a full disk is an error that names the file, and nothing is kept")
  func full() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(folder, options: [NSSQLitePragmasOption: ["max_page_count": "60"]])
    let big = try (0..<500).map {
      try TestRows.insertion("Tag", ["name": .text(String(repeating: "x", count: 4000) + "\($0)")])
    }
    let error = #expect(throws: NSError.self) { try store.commit(ChangeSet(inserted: big)) }
    #expect(error?.code == CocoaError.fileWriteOutOfSpace.rawValue)
    #expect(error?.userInfo[NSFilePathErrorKey] as? String == folder.file().path)
    #expect(try store.rows("Tag").isEmpty)
    try store.save(ChangeSet(inserted: [try TestRows.tag("a")]))
  }

  @Test("readers see complete saves while a writer works")
  func concurrent() async throws {
    let writes = 60
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [store] in
        for number in 0..<writes {
          try store.save(ChangeSet(inserted: try (0..<10).map { try TestRows.tag("\(number)-\($0)") }))
        }
      }
      for _ in 0..<12 {
        group.addTask { [store] in
          for _ in 0..<60 {
            let count = try store.rows("Tag").count
            #expect(count.isMultiple(of: 10))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.rows("Tag").count == writes * 10)
  }

  @Test("a closed store refuses a save with an error that says so")
  func closed() throws {
    try store.close()
    let error = #expect(throws: NSError.self) { try store.rows("Tag") }
    #expect(error?.localizedDescription.contains("closed") == true)
    #expect(throws: NSError.self) { try store.commit(ChangeSet(inserted: [try TestRows.tag("a")])) }
  }
}
