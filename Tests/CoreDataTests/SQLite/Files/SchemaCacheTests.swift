import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("The schema of a store of a model that was used before")
struct SchemaCacheTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What the schema is made of, of a store that is opened and closed.
  private func parts(_ model: NSManagedObjectModel, _ name: String, _ configuration: String? = nil) throws
    -> SQLSchemaParts
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: configuration,
      at: folder.file(name)
    )
    let schema = try #require(store as? SQLiteStore).engine().schema
    #expect(schema.model === model)
    try coordinator.remove(store)
    return schema.parts
  }

  @Test("is the one of before, for the same store and for others with the same tables")
  func same() throws {
    let (model, other) = (TestModel.make(), TestModel.make())
    let first = try parts(model, "a.sqlite")
    #expect(try parts(model, "a.sqlite") === first)
    #expect(try parts(model, "b.sqlite") === first)
    #expect(try parts(other, "a.sqlite") !== first)
  }

  @Test("is another one where the tables, their columns or the numbers of entities differ")
  func different() throws {
    let model = TestModel.make()
    let first = try parts(model, "a.sqlite")
    _ = try parts(model, "b.sqlite")
    try execute("ALTER TABLE ZNOTE ADD COLUMN ZMORE", "b.sqlite")
    #expect(try parts(model, "b.sqlite") !== first)
    _ = try parts(model, "c.sqlite")
    try execute("UPDATE Z_PRIMARYKEY SET Z_ENT = 40 WHERE Z_NAME = 'Badge'", "c.sqlite")
    #expect(try parts(model, "c.sqlite") !== first)
    #expect(try parts(model, "a.sqlite") === first)
  }

  @Test("is the same for each configuration, but for a store that has the entities of one alone")
  func configurations() throws {
    let model = TestModel.make()
    let people = model.entities.filter { ["Person", "Employee"].contains($0.name) }
    model.setEntities(people, forConfigurationName: "People")
    let all = try parts(model, "a.sqlite")
    #expect(all.entities.count == 7)
    #expect(try parts(model, "b.sqlite", "People") === all)
    let alone = TestModel.make()
    alone.entities = alone.entities.filter { ["Person", "Employee"].contains($0.name) }
    _ = try parts(alone, "c.sqlite")
    let some = try parts(model, "c.sqlite", "People")
    #expect(some.entities.count == 2)
    #expect(try parts(model, "c.sqlite", "People") === some)
  }

  @Test("is kept as long as it is used, others are given up, and none keeps the model")
  func limit() throws {
    weak var keptModel: NSManagedObjectModel?
    weak var first: SQLSchemaParts?
    weak var once: SQLSchemaParts?
    weak var last: SQLSchemaParts?
    try {
      let model = TestModel.make()
      keptModel = model
      first = try parts(model, "a.sqlite")
      #expect(first != nil)
      for number in 0..<6 {
        _ = try parts(model, "\(number).sqlite")
        try execute("ALTER TABLE ZNOTE ADD COLUMN ZMORE\(number)", "\(number).sqlite")
        last = try parts(model, "\(number).sqlite")
        if number == 0 { once = last }
      }
      // Each new store has asked for the first one again.
      #expect(first != nil && once == nil && last != nil)
    }()
    #expect(keptModel == nil && first == nil && last == nil)
  }

  private func execute(_ sql: String, _ name: String) throws {
    let queue = try SQLiteConnection(path: folder.file(name).path)
    try queue.use { try $0.execute(sql: sql) }
    try queue.close()
  }
}
