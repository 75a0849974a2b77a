import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Rows that one statement of SQLite writes together")
struct RowsAtOnceTests {
  private let folder: TemporaryFolder
  private let recorder: StatementRecorder
  private let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    recorder = StatementRecorder(folder.url)
    store = try SQLiteStore.open(folder)
  }

  private static func tags(_ names: some Sequence<Int>, in model: NSManagedObjectModel = TestModel.shared)
    throws -> [ObjectChange]
  {
    try names.map { try TestRows.insertion("Tag", ["name": .text("\($0)")], in: model) }
  }

  @Test(
    "rows are inserted in groups of sixteen, and the rest one by one, each under its key",
    arguments: [1, 15, 16, 17, 40]
  )
  func insertions(_ count: Int) throws {
    let tags = try Self.tags(0..<count)
    let permanent = try store.save(ChangeSet(inserted: tags))
    let row = "(?, ?, ?, ?)"
    let statements = recorder.statements.map(\.sql).filter { $0.hasPrefix("INSERT INTO ZTAG") }
    let several = "VALUES \(Array(repeating: row, count: 16).joined(separator: ", "))"
    #expect(statements.count { $0.hasSuffix(several) } == count / 16)
    #expect(statements.count { $0.hasSuffix("VALUES \(row)") } == count % 16)
    #expect(tags.compactMap { permanent[$0.reference.key]?.key } == (1...count).map(Int64.init))
    let rows: [String] = try folder.query(
      "SELECT Z_PK || ' ' || Z_ENT || ' ' || Z_OPT || ' ' || ZNAME FROM ZTAG"
    )
    #expect(rows == (0..<count).map { "\($0 + 1) 7 1 \($0)" })
  }

  @Test("rows with many columns are inserted in smaller groups")
  func parameters() {
    #expect(SQLiteRowsPerStatement.inserted(columns: 3) == 16)
    #expect(SQLiteRowsPerStatement.inserted(columns: 100) == 9)
    #expect(SQLiteRowsPerStatement.inserted(columns: 2000) == 1)
    #expect(SQLiteRowsPerStatement.inserted(columns: 0) == 16)
  }

  @Test("rows with large texts are inserted one by one")
  func largeTexts() throws {
    let texts = (0..<32).map { String(repeating: "x", count: $0 < 16 ? 10 : 100_000) + "\($0)" }
    try store.save(ChangeSet(inserted: try texts.map(TestRows.tag)))
    let statements = recorder.statements.map(\.sql).filter { $0.hasPrefix("INSERT INTO ZTAG") }
    #expect(statements.count { $0.hasSuffix("), (?, ?, ?, ?)") } == 1)
    #expect(statements.count == 17)
    #expect(try folder.query("SELECT ZNAME FROM ZTAG ORDER BY Z_PK") == texts)
  }

  @Test("rows that violate a constraint are identified in a group, and none is stored")
  func violations() throws {
    let folder = try TemporaryFolder()
    let model = TestModel.make()
    model.entitiesByName["Tag"]?.uniquenessConstraints = [["name"]]
    let store = try SQLiteStore.open(folder, model: model)
    try store.save(ChangeSet(inserted: try Self.tags([5, 20], in: model)))
    let changes = ChangeSet(inserted: try Self.tags(0..<40, in: model))
    guard case .violations(let violations) = try store.commit(changes) else {
      Issue.record("no violation was found")
      return
    }
    #expect(violations.map(\.reference) == [5, 20].map { changes.inserted[$0].reference })
    #expect(violations.map { $0.holder?.key } == [1, 2])
    #expect(try folder.query("SELECT count(*) FROM ZTAG") == [2])
  }

  @Test("rows of one version are deleted in groups of sixty-four, and the rest one by one")
  func deletions() throws {
    try store.save(ChangeSet(inserted: try Self.tags(0..<150)))
    try folder.execute("UPDATE ZTAG SET Z_OPT = 2 WHERE Z_PK = 101")
    let rows = try store.rows("Tag")
    try store.save(ChangeSet(deleted: rows.map(TestRows.deletion)))
    let statements = recorder.statements.map(\.sql).filter { $0.hasPrefix("DELETE FROM ZTAG") }
    // 64 rows in one statement; then the 36 before the row of the other version, that row, and the 49 after it, one by one.
    #expect(statements.count { $0.contains(" IN (?") } == 1)
    #expect(statements.count { !$0.contains(" IN (?") } == 86)
    #expect(try folder.query("SELECT count(*) FROM ZTAG") == [0])
  }

  @Test("rows that others changed or deleted are identified in a group, and all others stay")
  func conflicts() throws {
    try store.save(ChangeSet(inserted: try Self.tags(0..<100)))
    let rows = try store.rows("Tag")
    try folder.execute("UPDATE ZTAG SET Z_OPT = 2 WHERE Z_PK = 7")
    try folder.execute("DELETE FROM ZTAG WHERE Z_PK = 30")
    let changes = ChangeSet(
      inserted: try Self.tags([1000]),
      deleted: rows.map(TestRows.deletion)
    )
    guard case .conflicts(let conflicts) = try store.commit(changes) else {
      Issue.record("no conflict was found")
      return
    }
    #expect(conflicts.map(\.reference.key) == [7, 30])
    #expect(conflicts.map { $0.persisted?.version } == [2, nil])
    #expect(try folder.query("SELECT count(*) FROM ZTAG") == [99])
  }

  @Test("grouped rows respect the merge policy if others were faster")
  func policy() throws {
    let folder = try TemporaryFolder()
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: TestModel.make())
    container.persistentStoreDescriptions[0].url = folder.file()
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    try context.performAndWait {
      for number in 0..<80 { context.note("\(number)") }
      try context.save()
      let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
      try other.performAndWait {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.predicate = NSPredicate(format: "title == %@", "41")
        try other.fetch(request).first?.title = "theirs"
        try other.save()
      }
      for note in notes { context.delete(note) }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      #expect((error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.count == 1)
      context.mergePolicy = NSMergePolicy.overwrite
      try context.save()
      #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 0)
    }
  }

  @Test("grouped rows have single changes in the history, in order", arguments: [1, 7, 8, 64, 65, 150])
  func history(_ count: Int) throws {
    let store = try TrackedStore()
    let context = try store.context()
    let notes = (0..<count).map { context.note("\($0)") }
    try context.save()
    for note in notes { note.rating = 5 }
    notes[0].title = "another"
    try context.save()
    let identifiers = notes.map(\.objectID)
    for note in notes { context.delete(note) }
    try context.save()
    let transactions = try context.transactions()
    let expected: [NSPersistentHistoryChangeType] = [.insert, .update, .delete]
    #expect(transactions.count == 3)
    for (transaction, type) in zip(transactions, expected) {
      let changes = transaction.changes ?? []
      #expect(changes.map(\.changeType) == Array(repeating: type, count: count))
      #expect(Set(changes.map(\.changedObjectID)) == Set(identifiers))
      #expect(changes.map(\.changeID) == changes.map(\.changeID).sorted())
    }
    let updated = transactions[1].changes ?? []
    let names = updated.map { Set(($0.updatedProperties ?? []).map(\.name)) }
    #expect(names.count { $0 == ["rating"] } == count - 1)
    #expect(names.count { $0 == ["rating", "title"] } == 1)
  }
}
