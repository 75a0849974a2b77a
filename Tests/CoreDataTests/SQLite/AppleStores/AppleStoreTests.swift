import CoreData
import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import CoreData

@Suite("Stores made by Apple's framework", .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"))
struct AppleStoreTests {
  private func open(_ apple: AppleStore, _ folder: TemporaryFolder) throws -> (
    SQLiteStore, NSManagedObjectModel
  ) {
    let model = try apple.loadModel()
    let store = SQLiteStore(
      persistentStoreCoordinator: nil,
      configurationName: nil,
      at: try apple.copy(to: folder.url),
      // Without the option, a store with a history could only be read.
      options: apple.hasHistory ? [NSPersistentHistoryTrackingKey: true] : nil
    )
    store.index = 0
    try store.open(model: model)
    return (store, model)
  }

  /// All rows of all tables, without the values that a save may change.
  private func dump(_ file: URL) throws -> [String: [String]] {
    let queue = try SQLiteConnection(path: file.path)
    return try queue.read { database in
      let tables = try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' AND name != 'Z_METADATA'"
      )
      return try Dictionary(
        uniqueKeysWithValues: tables.map { table in
          let columns = try database.columns(in: table).map { "quote(\($0.name))" }.joined(
            separator: "||'|'||"
          )
          // Each save increments the numbers of the history.
          let condition = table == "Z_PRIMARYKEY" ? " WHERE Z_ENT < 16000" : ""
          let sql = "SELECT \(columns) FROM \(table)\(condition)"
          return (table, try String.fetchAll(database, sql: sql).sorted())
        }
      )
    }
  }

  @Test("Apple-made stores open with their model, and each row is read", arguments: AppleStore.andOurs)
  func read(_ apple: AppleStore) throws {
    let folder = try TemporaryFolder()
    let (store, model) = try open(apple, folder)
    for entity in try store.engine().schema.entities where entity.entity.superentity == nil {
      let rows = try store.fetch(FetchQuery(entity: entity.entity))
      let counts: [Int] = try folder.query("SELECT COUNT(*) FROM \(entity.table.name)", at: store.file)
      #expect(rows.count == counts.first)
      #expect(try store.count(FetchQuery(entity: entity.entity)) == rows.count)
      for row in rows {
        let byKey = try #require(try store.row(of: row.reference, layout: row.layout))
        #expect(byKey.layout === row.layout)
        #expect(row.row?.version == byKey.row?.version)
      }
    }
    try store.close()
    withExtendedLifetime(model) {}
  }

  @Test("both sides of each relationship in Apple-made stores agree", arguments: AppleStore.andOurs)
  func relationships(_ apple: AppleStore) throws {
    let folder = try TemporaryFolder()
    let (store, model) = try open(apple, folder)
    for entity in try store.engine().schema.entities where !entity.entity.isAbstract {
      var query = FetchQuery(entity: entity.entity)
      query.includesSubentities = false
      for row in try store.fetch(query) {
        for (number, toMany) in entity.layout.toMany.enumerated() {
          guard let inverse = toMany.relationship.inverseRelationship, !inverse.isToMany else { continue }
          for destination in try store.destinations(of: number, from: row.reference, layout: entity.layout) {
            let layout = model.numberedEntities[Int(destination.entity) - 1].layout
            let found = try #require(try store.row(of: destination, layout: layout)?.row)
            let slot = try TestRows.slot(inverse.name, layout)
            guard case .reference(let back) = found.value(slot) else {
              Issue.record("\(inverse.name) of \(destination) is empty")
              continue
            }
            #expect(back.key == row.key)
          }
        }
      }
    }
    try store.close()
  }

  @Test("a save of one object changes nothing but its row", arguments: AppleStore.andOurs)
  func save(_ apple: AppleStore) throws {
    let folder = try TemporaryFolder()
    let (store, model) = try open(apple, folder)
    let entity = try store.engine().schema.entities.first {
      try !$0.entity.isAbstract && !(store.rows($0.entity.name ?? "", in: model).isEmpty)
    }
    guard let entity, let row = try store.rows(entity.entity.name ?? "", in: model).first else { return }
    let before = try dump(store.file)
    let change = ObjectChange(
      reference: row.reference,
      layout: row.layout,
      row: row.row?.copy(),
      committed: row.row,
      changedSlots: row.layout.persistentSlots.filter { slot in
        // A value of an unknown transformer cannot be read, and is written unchanged.
        row.layout.slots[slot].attribute?.attributeType != .transformableAttributeType
      },
      toMany: []
    )
    try store.save(ChangeSet(updated: [change]))
    try store.close()
    let after = try dump(store.file)
    for (table, rows) in before where table != entity.table.name { #expect(after[table] == rows) }
    let changed = Set(before[entity.table.name] ?? []).symmetricDifference(after[entity.table.name] ?? [])
    #expect(changed.count == 2)
    #expect(try folder.query("PRAGMA integrity_check", at: store.file) == ["ok"])
  }

  @Test(
    "an object inserted into an Apple-made store gets the next key of its table",
    arguments: [AppleStore.sample, .sample.madeHere]
  )
  func insert(_ apple: AppleStore) throws {
    let folder = try TemporaryFolder()
    let (store, model) = try open(apple, folder)
    let car = try TestRows.insertion("SportCar", ["numberPlate": .text("new")], in: model)
    let permanent = try store.save(ChangeSet(inserted: [car]))
    #expect(permanent[car.reference.key]?.key == 126)
    #expect(
      try folder.query(
        "SELECT Z_PK || '|' || Z_ENT || '|' || Z_OPT FROM ZCAR WHERE ZNUMBERPLATE = 'new'",
        at: store.file
      )
        == ["126|2|1"]
    )
    #expect(try folder.query("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1", at: store.file) == [126])
  }

  @Test(
    "Apple-made stores keep derived attributes current: their triggers find the functions",
    arguments: [AppleStore.derived, .derived.madeHere]
  )
  func derived(_ apple: AppleStore) throws {
    let folder = try TemporaryFolder()
    let (store, model) = try open(apple, folder)
    let item = try #require(try store.rows("Item", in: model).first)
    let slot = try TestRows.slot("timestamp", item.layout)
    try store.save(ChangeSet(updated: [try TestRows.update(item, ["timestamp": .real(5)])]))
    let after = try #require(try store.row(of: item.reference, layout: item.layout)?.row)
    #expect("\(after.value(slot))" == "real(5.0)")
    guard case .real(let updated) = after.value(try TestRows.slot("updatedAt", item.layout)) else {
      Issue.record("updatedAt is empty")
      return
    }
    #expect(abs(updated - Date().timeIntervalSinceReferenceDate) < 60)
  }

  @Test(
    "Apple-made stores with a rollback journal open, and change to a write-ahead log as Apple's framework does"
  )
  func rollbackJournal() throws {
    let folder = try TemporaryFolder()
    let (store, _) = try open(.posts[0], folder)
    #expect(try folder.query("PRAGMA journal_mode", at: store.file) == ["wal"])
  }

  @Test("Apple-made stores open read-only without a change", arguments: AppleStore.andOurs)
  func readOnly(_ apple: AppleStore) throws {
    let folder = try TemporaryFolder()
    let file = try apple.copy(to: folder.url)
    let before = try Data(contentsOf: file)
    let model = try apple.loadModel()
    let store = SQLiteStore(
      persistentStoreCoordinator: nil,
      configurationName: nil,
      at: file,
      options: [NSReadOnlyPersistentStoreOption: true]
    )
    try store.open(model: model)
    for entity in model.entities where !entity.isAbstract { _ = try store.rows(entity.name ?? "", in: model) }
    try store.close()
    #expect(try Data(contentsOf: file) == before)
  }
}
