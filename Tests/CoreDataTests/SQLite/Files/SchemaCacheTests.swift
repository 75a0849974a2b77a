import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("The schema of a store of a model that was used before")
struct SchemaCacheTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The cached parts of a store's schema, after the store was opened and closed.
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

  @Test("a cached schema is reused for the same store and for others with equal tables")
  func same() throws {
    let (model, other) = (TestModel.make(), TestModel.make())
    let first = try parts(model, "a.sqlite")
    #expect(try parts(model, "a.sqlite") === first)
    #expect(try parts(model, "b.sqlite") === first)
    #expect(try parts(other, "a.sqlite") !== first)
  }

  @Test("a cached schema is not reused if tables, columns or entity numbers differ")
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

  @Test("a cached schema is the same for each configuration, unless the store has only one's entities")
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

  @Test("a schema is cached as long as it is used, others are released, and none retains the model")
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
      // Each new store has used the first schema again, so the cache has kept it.
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
