import CoreData
import Foundation
import ModelFormats
import SQLiteDriver
import Testing

@testable import CoreData

#if PostgreSQL
  @testable import CoreDataPostgreSQL
#endif

/// The ways of a lightweight migration, whose results must be equal.
enum MigrationWay: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case inDatabase
  case byObjects
  case inPostgreSQL
  case byObjectsInPostgreSQL

  static let allCases: [MigrationWay] =
    [.inDatabase, .byObjects]
    + (StoreKind.postgreSQLServer == nil ? [] : [.inPostgreSQL, .byObjectsInPostgreSQL])

  var testDescription: String { rawValue }
  var isByObjects: Bool { self == .byObjects || self == .byObjectsInPostgreSQL }
  var kind: StoreKind { self == .inDatabase || self == .byObjects ? .sqlite : .postgreSQL }
}

extension StoreKind {
  /// The stores that are migrated by statements.
  static let migrating: [StoreKind] = [.sqlite] + (postgreSQLServer == nil ? [] : [.postgreSQL])
}

/// A store of one version of a model, which tests migrate to other versions.
final class VersionedStore {
  let kind: StoreKind
  let folder: TemporaryFolder
  /// The location of the store; a file for a SQLite store.
  private(set) var file: URL
  private var places: [URL] = []
  private var open: (coordinator: NSPersistentStoreCoordinator, context: NSManagedObjectContext)?

  /// Makes a store and fills it.
  ///
  /// - Parameter entities: the entities of the model, in the XML of a model file.
  init(
    _ entities: String,
    on kind: StoreKind = .sqlite,
    _ fill: (NSManagedObjectContext) throws -> Void = { _ in }
  ) throws {
    self.kind = kind
    folder = try TemporaryFolder()
    file = kind.isPostgreSQL ? try #require(kind.place(in: folder.url)) : folder.file()
    places.append(file)
    let context = try open(Self.model(entities))
    try fill(context)
    try context.save()
    try close()
  }

  deinit {
    try? close()
    guard kind.isPostgreSQL else { return }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    for place in places { try? coordinator.destroyPersistentStore(at: place, ofType: kind.storeType) }
  }

  /// The type of the store.
  var type: NSPersistentStore.StoreType {
    NSPersistentStore.StoreType(rawValue: kind.storeType)
  }

  /// The name of the store in errors.
  var name: String { file.isFileURL ? file.path : file.absoluteString }

  static func model(_ entities: String) throws -> NSManagedObjectModel {
    let document = try ModelDocument(contents: Data("<model>\(entities)</model>".utf8))
    return try NSManagedObjectModel(document: document)
  }

  /// Opens the store. By default, the options migrate nothing.
  ///
  /// - Parameter place: another location to which the store was moved.
  func open(
    _ model: NSManagedObjectModel,
    at place: URL? = nil,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectContext {
    try close()
    if let place {
      file = place
      places.append(place)
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: type, at: file, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    open = (coordinator, context)
    return context
  }

  func close() throws {
    if let open {
      for store in open.coordinator.persistentStores { try open.coordinator.remove(store) }
    }
    open = nil
  }

  /// The default options of a container.
  static var byDefault: [AnyHashable: Any] {
    [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
  }

  /// Options for any change between versions, because the versions of tests are not resources of a program.
  static var automatic: [AnyHashable: Any] {
    byDefault.merging([NSPersistentStoreAllowsDowngradeOption: true]) { $1 }
  }

  /// Migrates the store to another version, and opens it.
  ///
  /// - Parameter known: the model of the store, if the store does not contain it.
  func migrate(
    _ entities: String,
    _ way: MigrationWay = .inDatabase,
    from known: NSManagedObjectModel? = nil
  ) throws -> NSManagedObjectContext {
    let model = try Self.model(entities)
    guard way.isByObjects else { return try open(model, options: Self.automatic) }
    let source = try known ?? cachedModel()
    let manager = NSMigrationManager(sourceModel: source, destinationModel: model)
    manager.usesStoreSpecificMigrationManager = false
    let target =
      kind.isPostgreSQL
      ? try #require(kind.place(in: folder.url)) : folder.file("\(UUID().uuidString).sqlite")
    places.append(target)
    try manager.migrateStore(
      from: file,
      type: type,
      mapping: NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: model),
      to: target,
      type: type
    )
    file = target
    return try open(model)
  }

  /// The model that is cached in the store.
  private func cachedModel() throws -> NSManagedObjectModel {
    #if PostgreSQL
      if kind.isPostgreSQL {
        let store = PostgreSQLStore(
          persistentStoreCoordinator: nil,
          configurationName: nil,
          at: file,
          options: nil
        )
        defer { try? store.close() }
        return try #require(try store.cachedModel())
      }
    #endif
    return try NSManagedObjectModel(cachedIn: file)
  }

  func query<Value: DatabaseValueConvertible>(_ sql: String) throws -> [Value] {
    try folder.query(sql, at: file)
  }

  /// The texts that a query of an entity's table returns.
  func texts(_ start: String, _ entity: String, _ end: String = "") throws -> [String] {
    #if PostgreSQL
      if kind.isPostgreSQL {
        return try PostgreSQLTables(file).texts(start + PostgreSQLNames().table(entity) + end)
      }
    #endif
    return try query(start + "Z" + entity.uppercased() + end)
  }

  /// Runs a statement in the database, as another program does.
  func execute(_ sql: String) throws {
    #if PostgreSQL
      if kind.isPostgreSQL { return try PostgreSQLTables(file).run(sql) }
    #endif
    try folder.execute(sql, at: file)
  }

  /// All statements and rows of the database.
  func dump() throws -> [String] {
    #if PostgreSQL
      if kind.isPostgreSQL { return try PostgreSQLTables(file).dump() }
    #endif
    let queue = try SQLiteConnection(path: file.path)
    return try queue.read { database in
      let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
      let rows = try tables.flatMap { table in
        let columns = try database.columns(in: table).map { "quote(\"\($0.name)\")" }.joined(
          separator: "||'|'||"
        )
        return try String.fetchAll(database, sql: "SELECT '\(table): '||\(columns) FROM \"\(table)\"")
      }
      let statements = try String.fetchAll(database, sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL")
      return (rows + statements).sorted()
    }
  }

  /// The tables with their columns, and the indexes of the database, regardless of the order of the columns.
  static func schema(of file: URL) throws -> Set<String> {
    let queue = try SQLiteConnection(path: file.path)
    return try queue.read { database in
      let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
      let columns = try tables.map { table in
        let columns = try database.columns(in: table).map { "\($0.name) \($0.type)" }.sorted()
        return "\(table): \(columns.joined(separator: ", "))"
      }
      let indexes = try String.fetchAll(
        database,
        sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL"
      )
      let entities = try String.fetchAll(
        database,
        sql: "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY"
      )
      return Set(columns + indexes + entities)
    }
  }

  private func schema() throws -> Set<String> {
    #if PostgreSQL
      if kind.isPostgreSQL { return try PostgreSQLTables(file).schema() }
    #endif
    return try Self.schema(of: file)
  }

  /// Expects the database to have the schema of a new store of the same model.
  func expectFreshSchema(_ entities: String, _ location: SourceLocation = #_sourceLocation) throws {
    let fresh = try VersionedStore(entities, on: kind)
    let differences = try schema().symmetricDifference(try fresh.schema())
    #expect(differences.isEmpty, sourceLocation: location)
  }
}

extension NSManagedObjectContext {
  @discardableResult
  func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// The objects of an entity, sorted by a key.
  func all(_ entity: String, by key: String = "name") throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    return try fetch(request)
  }

  func texts(_ entity: String, _ key: String = "name") throws -> [String] {
    try all(entity, by: key).map { $0.value(forKey: key) as? String ?? "-" }
  }
}

extension NSManagedObject {
  func text(_ key: String = "name") -> String? { value(forKey: key) as? String }
  func object(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }

  /// The names of the objects in a to-many relationship, in its order if it is ordered.
  func names(_ key: String) -> [String] {
    switch value(forKey: key) {
    case let set as NSOrderedSet: set.array.compactMap { ($0 as? NSManagedObject)?.text() }
    case let set as NSSet: set.allObjects.compactMap { ($0 as? NSManagedObject)?.text() }.sorted()
    default: []
    }
  }
}
