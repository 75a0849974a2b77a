import CoreData
import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import CoreData

@Suite(
  "A new store of the model of an Apple-made one",
  .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)")
)
struct NewStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Stores that were never migrated, made by frameworks since 2016 (version 851 and later).
  static let untouched =
    [AppleStore.manyToMany, .sample, .users, .derived, .logs, .posts[0], .posts[2]] + AppleStore.books

  /// Stores whose tables were rebuilt in another order by a migration.
  static let migrated = [AppleStore.posts[1], .migratedSample]

  /// The tables of persistent history, which a store has after its history was tracked.
  private static let historyTables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  private func statements(at file: URL) throws -> [String] {
    let names = Self.historyTables.map { "'\($0)'" }.joined(separator: ", ")
    return try folder.query(
      "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND tbl_name NOT IN (\(names)) ORDER BY rowid",
      at: file
    )
  }

  private func make(_ apple: AppleStore) throws -> URL {
    let file = folder.file("new.sqlite")
    let store = SQLiteStore(
      persistentStoreCoordinator: nil,
      configurationName: nil,
      at: file,
      options: nil
    )
    try store.open(model: try apple.loadModel())
    try store.close()
    return file
  }

  @Test("a new store has the statements of Apple's, in the same order", arguments: untouched)
  func same(_ apple: AppleStore) throws {
    let own = try statements(at: try make(apple))
    #expect(own == (try statements(at: try apple.copy(to: folder.url))))
    #expect(own.count > 3)
  }

  @Test("a new store has the statements of one that a migration reordered", arguments: migrated)
  func sameSet(_ apple: AppleStore) throws {
    let own = try statements(at: try make(apple))
    #expect(own.sorted() == (try statements(at: try apple.copy(to: folder.url))).sorted())
  }

  /// The framework of 2015 (version 637) declares uniqueness in the table, and names the index of an attribute that is marked
  /// as indexed by its column alone. Nothing else differs.
  @Test(
    "a new store has today's constraints and indexes, unlike those of an older framework",
    arguments: AppleStore.moods
  )
  func older(_ apple: AppleStore) throws {
    let model = try apple.loadModel()
    let schema = try SQLSchemaBuilder.build(model: model, entities: model.entities)
    let older = OlderStatements(schema: schema)
    let own = try statements(at: try make(apple))
    #expect(
      own.map(older.spelled).filter { !$0.isEmpty }.sorted()
        == (try statements(at: try apple.copy(to: folder.url))).sorted()
    )
    #expect(Set(own) != Set(own.map(older.spelled)))
  }

  /// The framework of Mac OS X 10.6 (version 241) stored no model in the store, and ordered the columns of one type
  /// differently. Nothing else differs.
  @Test("a new store has the columns and indexes of the oldest store in today's order, and a model")
  func oldest() throws {
    let own = Set(try statements(at: try make(.recipes)))
    let apples = Set(try statements(at: try AppleStore.recipes.copy(to: folder.url)))
    let (more, fewer) = (own.subtracting(apples), apples.subtracting(own))
    #expect(more.count == 2 && more.contains(SQLiteSystemTables.modelCache))
    let table = more.subtracting([SQLiteSystemTables.modelCache])
    #expect(table.map(Self.columns) == fewer.map(Self.columns))
    #expect(table.allSatisfy { $0.hasPrefix("CREATE TABLE ZRECIPE (") })
  }

  /// The name of a table and its columns, regardless of their order.
  private static func columns(_ statement: String) -> Set<String> {
    Set(statement.split(separator: /[,()]/).map { $0.trimmingCharacters(in: .whitespaces) })
  }

  /// A lightweight migration does not renumber entities, and keeps the previous name of a renamed entity.
  @Test("numbers and names the entities alike", arguments: AppleStore.all)
  func primaryKeys(_ apple: AppleStore) throws {
    // The numbers above 16000 belong to the tables of persistent history.
    let query = """
      SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT
      """
    let own: [String] = try folder.query(query, at: try make(apple))
    let apples: [String] = try folder.query(query, at: try apple.copy(to: folder.url))
    let renamed =
      apple.store == AppleStore.migratedSample.store ? ["3 ExpensiveSportCar 2": "3 LuxuryCar 2"] : [:]
    #expect(own == apples.map { renamed[$0] ?? $0 })
    #expect(try folder.query("SELECT MAX(Z_MAX) FROM Z_PRIMARYKEY", at: folder.file("new.sqlite")) == [0])
  }

  /// The oldest store has pages of 2,048 bytes.
  @Test("a new store has Apple's page size, vacuuming and encoding", arguments: AppleStore.keepingModels)
  func pragmas(_ apple: AppleStore) throws {
    let (own, apples) = (try make(apple), try apple.copy(to: folder.url))
    for name in ["page_size", "auto_vacuum", "user_version", "application_id"] {
      let value: [Int] = try folder.query("PRAGMA \(name)", at: own)
      #expect(value == (try folder.query("PRAGMA \(name)", at: apples)), "\(name)")
    }
    #expect(try folder.query("PRAGMA journal_mode", at: own) == ["wal"])
    #expect(try folder.query("PRAGMA encoding", at: own) == ["UTF-8"])
  }

  @Test(
    "a new store has Apple's metadata, except for the identity and later additions",
    arguments: AppleStore.all
  )
  func metadata(_ apple: AppleStore) throws {
    let own = try properties(at: try make(apple))
    let apples = try properties(at: try apple.copy(to: folder.url))
    // The file of this model got an identifier after the store was made.
    let later = apple.store == AppleStore.moods[0].store ? ["NSStoreModelVersionIdentifiers"] : []
    for (key, value) in apples
    where !later.contains(key) && key != "NSPersistenceFrameworkVersion" && !key.hasPrefix("io.objc.") {
      #expect((own[key] as? NSObject)?.isEqual(value) == true, "\(key): \(own[key] ?? "nothing"), \(value)")
    }
    let newer: Set = ["NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey"]
    #expect(Set(own.keys).subtracting(apples.keys).isSubset(of: newer))
  }

  private func properties(at file: URL) throws -> [String: Any] {
    let data: [Data] = try folder.query("SELECT Z_PLIST FROM Z_METADATA", at: file)
    let list = try PropertyListSerialization.propertyList(from: try #require(data.first), format: nil)
    return try #require(list as? [String: Any])
  }

  @Test(
    "a new store contains a model that equals the one in the Apple-made store",
    arguments: AppleStore.keepingModels
  )
  func modelCache(_ apple: AppleStore) throws {
    let own = try NSManagedObjectModel(cachedIn: try make(apple))
    let apples = try NSManagedObjectModel(cachedIn: try apple.copy(to: folder.url))
    #expect(own.entityVersionHashesByName == apples.entityVersionHashesByName)
    for (name, entity) in apples.entitiesByName {
      let other = try #require(own.entitiesByName[name])
      #expect(other.isAbstract == entity.isAbstract)
      #expect(other.superentity?.name == entity.superentity?.name)
      #expect(other.propertiesByName.keys.sorted() == entity.propertiesByName.keys.sorted())
      #expect("\(other.uniquenessConstraints)" == "\(entity.uniquenessConstraints)")
      for (name, relationship) in entity.relationshipsByName {
        let counterpart = try #require(other.relationshipsByName[name])
        #expect(counterpart.deleteRule == relationship.deleteRule)
        #expect(counterpart.isOrdered == relationship.isOrdered)
        #expect(counterpart.inverseRelationship?.name == relationship.inverseRelationship?.name)
      }
    }
  }
}

/// Rewrites the statements of today's framework in the spelling of the framework of 2015.
private struct OlderStatements {
  let schema: SQLSchema

  /// The rewritten statement; empty if it has no counterpart.
  func spelled(_ statement: String) -> String {
    for index in schema.indexes where statement.contains("INDEX \(index.name) ON") {
      if index.isUnique { return "" }
      let columns = index.elements.map(\.column)
      guard index.hasCollation, columns.count == 1 else { return statement }
      return "CREATE INDEX \(index.table)_\(columns[0])_INDEX ON \(index.table) (\(columns[0]))"
    }
    for constraint in schema.constraints where statement.hasPrefix("CREATE TABLE \(constraint.table) (") {
      let columns = constraint.columns
      return statement.dropLast(2)
        + ", CONSTRAINT \(columns.joined(separator: "_")) UNIQUE (\(columns.joined(separator: ", "))))"
    }
    return statement
  }
}
