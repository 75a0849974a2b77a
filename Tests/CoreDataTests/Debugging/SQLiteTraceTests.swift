import CSystemSQLite
import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Observing the statements of a store")
struct SQLiteTraceTests {
  private static let isUnlogged = ConditionTrait.enabled(
    if: DebugSettings.ofProgram.isOff,
    "the tests themselves are logged"
  )

  /// The context pointers of the trace callbacks of the store's connections; `nil` without a callback. Reading a pointer
  /// removes its callback.
  private func traceContext(of store: SQLiteStore) throws -> [UnsafeMutableRawPointer?] {
    let connections = try store.engine().connections
    return [
      try connections.withoutTransaction { sqlite3_trace($0.sqliteConnection, nil, nil) },
      try connections.readOnce { sqlite3_trace($0.sqliteConnection, nil, nil) },
      try connections.openReader().use { sqlite3_trace($0.sqliteConnection, nil, nil) },
    ]
  }

  @Test("without an observer, no connection has a trace", Self.isUnlogged)
  func off() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(folder)
    #expect(try traceContext(of: store) == [nil, nil, nil])
    #expect(StoreObservers.all(of: folder.file().path).isEmpty)
  }

  @Test("every connection of an observed store is traced, and no other", Self.isUnlogged)
  func on() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let recorder = StatementRecorder(folder.url)
    let (store, second) = (try SQLiteStore.open(folder), try SQLiteStore.open(other))
    #expect(try second.rows("Tag").isEmpty)
    #expect(try !traceContext(of: store).contains(nil))
    #expect(try traceContext(of: second) == [nil, nil, nil])
    #expect(Set(recorder.statements.map(\.store)) == [folder.file().path])
  }

  @Test("connections opened after the observer ended are not traced", Self.isUnlogged)
  func gone() throws {
    let folder = try TemporaryFolder()
    _ = StatementRecorder(folder.url)
    #expect(try traceContext(of: try SQLiteStore.open(folder)) == [nil, nil, nil])
  }

  @Test("closed connections release their observer")
  func closing() throws {
    final class Witness: Sendable {}
    let folder = try TemporaryFolder()
    var witness: Witness? = Witness()
    weak let seen = witness
    let registration = StoreObservers.add(
      StoreObserver(details: [], executed: { [witness] _ in withExtendedLifetime(witness) {} }),
      in: folder.url.lastPathComponent
    )
    witness = nil
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file())
    StoreObservers.remove(registration)
    #expect(seen != nil)
    try coordinator.remove(store)
    #expect(seen == nil)
  }

  @Test("an observer gets the statements of opening: pragmas, tables, metadata")
  func opening() throws {
    let stack = try Stack(.sqlite, recording: .bindings)
    let sql = try #require(stack.recorder).statements.map(\.sql)
    for part in [
      "PRAGMA journal_mode = WAL", "BEGIN IMMEDIATE TRANSACTION", "CREATE TABLE ZNOTE",
      "INSERT INTO Z_METADATA",
      "COMMIT TRANSACTION",
    ] {
      #expect(sql.contains { $0.hasPrefix(part) }, "\(part)")
    }
  }

  @Test("an observer gets a save with its bindings, and the number of rows that each statement changed")
  func saving() throws {
    let stack = try Stack(.sqlite, recording: .bindings)
    let recorder = try #require(stack.recorder)
    let inserted = try recorder.rowStatements {
      _ = stack.tag("it's")
      try stack.save()
    }
    #expect(
      inserted.map(\.asPlanned) == [
        SQLStatement(
          sql: "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, ?, ?)",
          bindings: [.integer(1), .integer(7), .integer(1), .text("it's")]
        )
      ]
    )
    #expect(inserted.map(\.changeCount) == [1])
    let tag = try #require(try stack.fetch(Tag.self).first)
    tag.name = nil
    tag.name = nil
    #expect(
      try stack.executed { try stack.save() } == [
        SQLStatement(
          sql: "UPDATE ZTAG SET Z_OPT = ?, ZNAME = ? WHERE Z_PK = ? AND COALESCE(Z_OPT, 0) = ?",
          bindings: [.integer(2), .null, .integer(1), .integer(1)]
        )
      ]
    )
  }

  @Test("an observer gets fetches, firing faults and relationships")
  func reading() throws {
    let stack = try Stack(.sqlite, recording: .bindings)
    stack.note("a", tags: [stack.tag("t")])
    try stack.save()
    let context = stack.newContext()
    let recorder = try #require(stack.recorder)
    var notes: [Note] = []
    let fetch = try recorder.rowStatements { notes = try stack.fetch(Note.self, "rating > 2", in: context) }
    #expect(fetch.count == 1 && fetch[0].rowCount == 1 && fetch[0].bindings == [.integer(2)])
    #expect(fetch[0].duration > .zero)
    let note = try #require(notes.first)
    context.refresh(note, mergeChanges: false)
    let fault = try stack.executed { #expect(note.title == "a") }
    #expect(
      fault.count == 1 && fault[0].sql.hasSuffix("Z_PK = ?") && fault[0].bindings == [.integer(1)]
    )
    let tags = try stack.executed { #expect(note.tags.count == 1) }
    #expect(tags.count == 1 && tags[0].sql.contains("Z_3TAGS") && tags[0].bindings == [.integer(1)])
  }

  @Test("an observer gets the statements of batches and of the history")
  func batchesAndHistory() throws {
    let store = try TrackedStore()
    let recorder = StatementRecorder(store.folder.url)
    let context = try store.context("importer")
    try context.execute(NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"], ["name": "b"]]))
    try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Tag")))
    #expect(try context.transactions().count == 2)
    let executed = recorder.statements
    #expect(executed.count { $0.sql.hasPrefix("INSERT INTO ZTAG") } == 2)
    #expect(executed.contains { $0.sql.hasPrefix("DELETE FROM ZTAG") })
    let transactions = executed.filter { $0.sql.hasPrefix("INSERT INTO ATRANSACTION ") }
    #expect(transactions.count == 2)
    #expect(executed.contains { $0.sql.hasPrefix("SELECT") && $0.sql.contains("FROM ATRANSACTION") })
  }

  @Test("an observer gets the statements of a check and of emptying a store")
  func checkingAndDestroying() throws {
    let folder = try TemporaryFolder()
    let recorder = StatementRecorder(folder.url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: folder.file()))
    _ = try SQLiteStoreCheck(store: folder.file(), model: TestModel.shared).findings()
    #expect(recorder.statements.contains { $0.sql.contains("integrity_check") })
  }

  @Test("an observer gets rows and plans on request, but not the queries for plans")
  func plans() throws {
    let stack = try Stack(.sqlite, recording: [.bindings, .rows, .plan])
    _ = stack.tag("a")
    try stack.save()
    let recorder = try #require(stack.recorder)
    let fetch = try #require(
      try recorder.rowStatements { _ = try stack.fetch(Tag.self, "name == 'a'", in: stack.newContext()) }
        .first
    )
    #expect(fetch.rows.map { $0.contains(.text("a")) } == [true])
    #expect(fetch.plan.map { $0.prefix(7) } == ["SCAN t0"])
    #expect(!recorder.statements.contains { $0.sql.contains("EXPLAIN") })
  }

  @Test("observing does not change results in any detail: changes are counted, and conflicts found")
  func harmless() throws {
    let stack = try Stack(.sqlite, recording: [.bindings, .triggers, .rows, .plan])
    let tag = stack.tag("a")
    try stack.save()
    let other = stack.newContext()
    let same = try #require(try stack.fetch(Tag.self, in: other).first)
    same.name = "b"
    try other.save()
    tag.name = "c"
    let error = try #require(throws: (any Error).self) { try stack.save() } as NSError
    #expect(error.code == NSManagedObjectMergeError)
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try stack.save()
    #expect(try stack.fetch(Tag.self, in: stack.newContext()).map(\.name) == ["c"])
    let update = NSBatchUpdateRequest(entityName: "Tag")
    update.propertiesToUpdate = ["name": "d"]
    update.resultType = .updatedObjectsCountResultType
    let result = try stack.context.execute(update) as? NSBatchUpdateResult
    #expect(result?.result as? Int == 1)
  }

  @Test("an observer gets the names of the triggers that a statement fires")
  func triggers() throws {
    let folder = try TemporaryFolder()
    let recorder = StatementRecorder(folder.url)
    let store = try SQLiteStore.open(folder)
    try folder.execute("CREATE TRIGGER Z_T AFTER INSERT ON ZTAG BEGIN UPDATE ZTAG SET ZNAME = 'x'; END")
    try store.save(ChangeSet(inserted: [try TestRows.tag("a")]))
    let insertion = recorder.statements.first { $0.sql.hasPrefix("INSERT INTO ZTAG") }
    #expect(insertion?.triggers.contains { $0.contains("Z_T") } == true)
  }

  @Test("observing works while many threads read at the same time")
  func threads() async throws {
    let stack = try Stack(.sqlite, recording: [.bindings, .rows])
    for number in 0..<20 { _ = stack.tag("\(number)") }
    try stack.save()
    let coordinator = stack.coordinator
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let context = NSManagedObjectContext(.privateQueue)
          context.persistentStoreCoordinator = coordinator
          await context.perform {
            for number in 0..<20 {
              let request = NSFetchRequest<Tag>(entityName: "Tag")
              request.predicate = NSPredicate(format: "name == %@", "\(number)")
              #expect((try? context.fetch(request).count) == 1)
            }
          }
        }
      }
    }
    let fetches = try #require(stack.recorder).statements.filter { $0.sql.contains("FROM ZTAG t0") }
    #expect(fetches.count == 160 && fetches.allSatisfy { $0.rowCount == 1 && $0.rows.count == 1 })
  }
}
