import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Saving relationships into SQLite")
struct SQLiteRelationshipTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore.open(folder)
  }

  @Test("temporary references become keys, in any order of the objects")
  func references() throws {
    let category = try TestRows.insertion("Category", ["name": .text("c")])
    let note = try TestRows.insertion(
      "Note",
      ["title": .text("n"), "category": .reference(category.reference)]
    )
    try store.save(ChangeSet(inserted: [note, category]))
    #expect(try folder.query("SELECT c.ZNAME FROM ZNOTE n JOIN ZCATEGORY c ON c.Z_PK = n.ZCATEGORY") == ["c"])
  }

  @Test(
    "a reference to an object that is not saved is an error that names the relationship, and nothing is kept"
  )
  func lostReference() throws {
    let lost = ObjectReference(key: TemporaryKey.next(), entity: 2, store: -1)
    let note = try TestRows.insertion("Note", ["title": .text("n"), "category": .reference(lost)])
    let error = #expect(throws: NSError.self) {
      try store.commit(ChangeSet(inserted: [try TestRows.tag("a"), note]))
    }
    #expect(error?.code == NSManagedObjectReferentialIntegrityError)
    #expect(error?.localizedDescription.contains("Note.category") == true)
    #expect(try store.rows("Tag").isEmpty)
    let foreign = ObjectReference(key: 1, entity: 2, store: 7)
    let other = try TestRows.insertion("Note", ["title": .text("n"), "category": .reference(foreign)])
    let second = #expect(throws: NSError.self) { try store.commit(ChangeSet(inserted: [other])) }
    #expect(second?.code == NSManagedObjectExternalRelationshipError)
  }

  @Test("many pairs are added by statements of 64, and the rest one by one", arguments: [1, 63, 64, 65, 200])
  func manyPairs(_ count: Int) throws {
    let tags = try (0..<count).map { try TestRows.tag("tag \($0)") }
    let links = ToManyChange(
      relationship: try TestRows.toMany("tags", TestRows.entity("Note").layout),
      added: (tags + tags.prefix(1)).map(\.reference),
      removed: [],
      ordered: nil
    )
    let note = try TestRows.insertion("Note", ["title": .text("n")], toMany: [links])
    let permanent = try store.save(ChangeSet(inserted: tags + [note]))
    #expect(try folder.query("SELECT COUNT(*) || '' FROM Z_3TAGS") == ["\(count)"])
    let wanted = tags.compactMap { permanent[$0.reference.key]?.key }.sorted()
    #expect(try folder.query("SELECT Z_7TAGS || '' FROM Z_3TAGS ORDER BY Z_7TAGS") == wanted.map(String.init))
  }

  @Test("the statement that adds pairs binds them row by row")
  func statementOfPairs() throws {
    let entity = try TranslatedFetch.schema.entity(try TestRows.entity("Note"))
    guard case .join(let join) = entity.toMany[try TestRows.toMany("tags", entity.layout)] else {
      Issue.record("the notes' tags have no join table")
      return
    }
    let statements = SQLRowStatements(dialect: SQLiteDialect())
    let insertion = "INSERT OR IGNORE INTO Z_3TAGS (Z_3NOTES, Z_7TAGS) VALUES (?, ?)"
    #expect(statements.linkInsertion(join.table) == insertion)
    #expect(statements.linkInsertion(join.table, rows: 3) == insertion + ", (?, ?), (?, ?)")
  }

  @Test("a pair that both sides report is one row of the join table")
  func join() throws {
    let (tag, note) = (try TestRows.tag("t"), try TestRows.insertion("Note", ["title": .text("n")]))
    let tags = try TestRows.toMany("tags", note.layout)
    let notes = try TestRows.toMany("notes", tag.layout)
    let inserted = [
      ObjectChange(
        reference: note.reference,
        layout: note.layout,
        row: note.row,
        committed: nil,
        changedSlots: [],
        toMany: [ToManyChange(relationship: tags, added: [tag.reference], removed: [], ordered: nil)]
      ),
      ObjectChange(
        reference: tag.reference,
        layout: tag.layout,
        row: tag.row,
        committed: nil,
        changedSlots: [],
        toMany: [ToManyChange(relationship: notes, added: [note.reference], removed: [], ordered: nil)]
      ),
    ]
    let permanent = try store.save(ChangeSet(inserted: inserted))
    #expect(try folder.query("SELECT Z_3NOTES || '-' || Z_7TAGS FROM Z_3TAGS") == ["1-1"])
    let saved = try #require(permanent[note.reference.key])
    #expect(
      try store.destinations(of: tags, from: saved, layout: note.layout).map(\.entity) == [tag.layout.number]
    )
    let fetched = try #require(try store.rows("Note").first)
    let removal = ToManyChange(
      relationship: tags,
      added: [],
      removed: [try #require(permanent[tag.reference.key])],
      ordered: nil
    )
    try store.save(ChangeSet(updated: [try TestRows.update(fetched, [:], toMany: [removal])]))
    #expect(try folder.query("SELECT COUNT(*) FROM Z_3TAGS") == [0])
    #expect(try folder.query("SELECT Z_OPT FROM ZNOTE") == [2])
  }

  @Test("an ordered relationship is numbered from 2048 by 1024, and read in its order")
  func ordered() throws {
    let note = try TestRows.insertion("Note", ["title": .text("n")])
    let pages = try (0..<3).map { number in
      try TestRows.insertion("Page", ["number": .integer(Int64(number)), "note": .reference(note.reference)])
    }
    let relationship = try TestRows.toMany("pages", note.layout)
    let order = [2, 0, 1].map { pages[$0].reference }
    let inserted = ObjectChange(
      reference: note.reference,
      layout: note.layout,
      row: note.row,
      committed: nil,
      changedSlots: [],
      toMany: [ToManyChange(relationship: relationship, added: order, removed: [], ordered: order)]
    )
    let permanent = try store.save(ChangeSet(inserted: [inserted] + pages))
    #expect(try folder.query("SELECT Z_FOK_NOTE FROM ZPAGE ORDER BY ZNUMBER") == [3072, 4096, 2048])
    let saved = try #require(permanent[note.reference.key])
    #expect(
      try store.destinations(of: relationship, from: saved, layout: note.layout).map(\.key)
        == order.map { permanent[$0.key]?.key }
    )
  }

  @Test("deleting removes the object from join tables")
  func delete() throws {
    let stack = try Stack(.sqlite)
    stack.note("n", tags: [stack.tag("a"), stack.tag("b")])
    try stack.save()
    let store = try #require(stack.coordinator.persistentStores.first as? SQLiteStore)
    let note = try #require(try store.rows("Note").first)
    guard case .saved = try store.commit(ChangeSet(deleted: [TestRows.deletion(note)])) else {
      Issue.record("not deleted")
      return
    }
    let file = stack.folder.appendingPathComponent("store.sqlite")
    #expect(
      try folder.query("SELECT (SELECT COUNT(*) FROM Z_3TAGS) + (SELECT COUNT(*) FROM ZNOTE)", at: file) == [
        0
      ]
    )
  }

  @Test("a relationship that is its own inverse has a row for each direction, and both go with either object")
  func ownInverse() throws {
    let folder = try TemporaryFolder()
    let person = NSEntityDescription()
    person.name = "Friend"
    let friends = NSRelationshipDescription()
    friends.name = "friends"
    friends.destinationEntity = person
    person.properties = [friends]
    friends.inverseRelationship = friends
    let model = NSManagedObjectModel()
    model.entities = [person]
    let store = try SQLiteStore.open(folder, model: model)
    let keys = (TemporaryKey.next(), TemporaryKey.next())
    func change(_ key: Int64, _ other: Int64) throws -> ObjectChange {
      let reference = ObjectReference(key: other, entity: 1, store: -1)
      return try TestRows.insertion(
        "Friend",
        [:],
        key: key,
        toMany: [ToManyChange(relationship: 0, added: [reference], removed: [], ordered: nil)],
        in: model
      )
    }
    let permanent = try store.save(
      ChangeSet(inserted: [try change(keys.0, keys.1), try change(keys.1, keys.0)])
    )
    #expect(
      try folder.query("SELECT REFLEXIVE || '-' || Z_1FRIENDS FROM Z_1FRIENDS ORDER BY 1") == ["1-2", "2-1"]
    )
    for key in [keys.0, keys.1] {
      let reference = try #require(permanent[key])
      #expect(try store.destinations(of: 0, from: reference, layout: person.layout).count == 1)
    }
    let first = try #require(try store.rows("Friend", in: model).first)
    try store.save(ChangeSet(deleted: [TestRows.deletion(first)]))
    #expect(try folder.query("SELECT COUNT(*) FROM Z_1FRIENDS") == [0])
  }

  @Test("a relationship without inverse keeps its keys in the destinations, and clears them again")
  func withoutInverse() throws {
    let folder = try TemporaryFolder()
    let (message, detail) = (NSEntityDescription(), NSEntityDescription())
    (message.name, detail.name) = ("Message", "Detail")
    let details = NSRelationshipDescription()
    details.name = "details"
    details.destinationEntity = detail
    details.isOrdered = true
    message.properties = [details]
    let model = NSManagedObjectModel()
    model.entities = [message, detail]
    let store = try SQLiteStore.open(folder, model: model)
    let parts = try (0..<3).map { _ in try TestRows.insertion("Detail", [:], in: model) }
    let references = parts.map(\.reference)
    let whole = try TestRows.insertion(
      "Message",
      [:],
      toMany: [ToManyChange(relationship: 0, added: references, removed: [], ordered: references)],
      in: model
    )
    let permanent = try store.save(ChangeSet(inserted: [whole] + parts))
    #expect(
      try folder.query("SELECT Z2DETAILS || '-' || Z_FOK_2DETAILS FROM ZDETAIL") == [
        "1-2048", "1-3072", "1-4096",
      ]
    )
    let kept = references.compactMap { permanent[$0.key] }
    let fetched = try #require(try store.rows("Message", in: model).first)
    let change = ToManyChange(relationship: 0, added: [], removed: [kept[1]], ordered: [kept[2], kept[0]])
    try store.save(ChangeSet(updated: [try TestRows.update(fetched, [:], toMany: [change])]))
    #expect(
      try store.destinations(of: 0, from: fetched.reference, layout: message.layout) == [kept[2], kept[0]]
    )
    let after = try #require(try store.rows("Message", in: model).first)
    #expect(after.row?.version == 2)
    try store.save(ChangeSet(deleted: [TestRows.deletion(after)]))
    #expect(try folder.query("SELECT COUNT(*) FROM ZDETAIL WHERE Z2DETAILS NOT NULL") == [0])
  }
}
