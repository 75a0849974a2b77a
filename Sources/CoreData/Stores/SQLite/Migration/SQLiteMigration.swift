import Foundation
import GRDB

/// A lightweight migration of a SQLite store in place: statements in one transaction, so that the store is at any
/// time either as it was or as it is to be.
struct SQLiteMigration {
  let file: URL
  /// The model that the store was made with.
  let source: NSManagedObjectModel
  let destination: NSManagedObjectModel
  /// The entities that the store is to have.
  private let entities: [NSEntityDescription]
  private let pragmas: [SQLitePragma]
  private let timeout: TimeInterval
  private let defersCleanup: Bool

  init(
    file: URL,
    source: NSManagedObjectModel,
    destination: NSManagedObjectModel,
    configuration: String? = nil,
    options: [AnyHashable: Any]?
  ) throws {
    source.freeze()
    destination.freeze()
    self.file = file
    self.source = source
    self.destination = destination
    let opening = try SQLiteStoreOpening(
      file: file,
      model: destination,
      configuration: configuration ?? NSPersistentStore.defaultConfigurationName,
      options: options,
      isReadOnly: false
    )
    entities = opening.entities
    pragmas = opening.pragmas
    timeout = opening.timeout
    defersCleanup = (options?[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool) ?? false
  }

  /// Migrates the store. One that has the destination's entities already, since another process was quicker, is left
  /// as it is.
  ///
  /// - Throws: `NSMigrationError` when a row lacks what the destination requires,
  ///   `NSMigrationConstraintViolationError` when rows break a uniqueness constraint, or what SQLite reports.
  func run() throws {
    try SQLiteFile(file).checkPlace(mustExist: true, isWritten: true)
    let connections = try SQLiteConnections(file: file, isReadOnly: false, pragmas: pragmas, timeout: timeout)
    let external = ExternalDataFolder(store: file)
    do {
      try connections.prepareForWriting()
      let files = try connections.write { database in
        SQLiteMigrationFunctions.register(in: database, folder: external)
        return try migrate(database)
      }
      connections.release(SQLiteFileChanges(old: files), external)
      // What is committed is committed, whatever closing says.
      try? connections.close()
    } catch {
      try? connections.close()
      throw failure(error)
    }
  }

  /// - Returns: the names of the external files that no row refers to any more.
  private func migrate(_ database: Database) throws -> [String] {
    let log = MigrationLog(file)
    var content = try SQLiteContent(database, file: file)
    guard var metadata = content.metadata else { throw SQLiteFile(file).noStore() }
    if SQLiteMetadata.differences(metadata.properties, model: destination, entities: entities).isEmpty {
      log.note("another process has migrated the store")
      return []
    }
    let former = storedEntities(metadata)
    if metadata.isCleanupDeferred {
      log.note("what an earlier migration has left is cleaned up first")
      // What an earlier migration left must not get in the way of this one.
      let schema = try SQLSchemaBuilder.build(model: source, entities: former, catalog: content.catalog)
      try SQLiteMigrationCleanup(schema: schema, file: file).runAll(database)
      content = try SQLiteContent(database, file: file)
    }
    let map = SQLiteMigrationMap(
      old: try SQLSchemaBuilder.build(model: source, entities: former, catalog: content.catalog),
      new: try SQLSchemaBuilder.build(model: destination, entities: entities)
    )
    let plan = try SQLiteMigrationPlanner.plan(
      map,
      database: SQLiteMigrationSource(database),
      catalog: content.catalog,
      defersCleanup: defersCleanup
    )
    let files = try plan.run(in: database, file: file, log)
    try SQLiteHistoryMigration(map: map).run(database, catalog: content.catalog)
    metadata.setModel(destination, entities: entities)
    metadata.isCleanupDeferred = plan.isDeferred
    try metadata.write(to: database, file: file, isNew: false)
    try SQLiteModelCache.replace(destination, in: database)
    return files
  }

  /// The entities of the source that the store has.
  private func storedEntities(_ metadata: SQLiteMetadata) -> [NSEntityDescription] {
    let names = StoreMetadata.versionHashes(in: metadata.properties) ?? [:]
    return source.entities.filter { names[$0.name ?? ""] != nil }
  }

  private func failure(_ error: any Error) -> any Error {
    if let error = error as? DatabaseError, error.resultCode == .SQLITE_CONSTRAINT {
      return StoreFailure.error(
        NSMigrationConstraintViolationError,
        """
        \(file.path): the store cannot be migrated, since objects in it break a uniqueness constraint of the new \
        model: \(error.message ?? ""). Make them unique with the old model first.
        """,
        file: file,
        details: [NSSQLiteErrorDomain: Int(error.extendedResultCode.rawValue)]
      )
    }
    return SQLiteFailure.error(error, file: file, doing: "The store could not be migrated")
  }
}

extension SQLiteMigrationPlan {
  /// Runs the plan in the transaction that is open.
  ///
  /// - Returns: the names of the external files that no row refers to any more.
  func run(in database: Database, file: URL, _ log: MigrationLog) throws -> [String] {
    let files = try lostFiles.flatMap { try SQLiteStore.fileNames($0, database) }
    for (index, step) in steps.enumerated() {
      let place = "step \(index + 1) of \(steps.count)"
      switch step {
      case .run(let statement):
        log.note("\(place): \(statement.sql)")
        try SQLiteQuery(statement, in: database, isCached: false).run()
      case .require(let query, let requirement):
        log.note("\(place): every \(requirement.entity) has to have \(requirement.property): \(query.sql)")
        if let key = try SQLiteQuery(query, in: database, isCached: false).integer() {
          throw requirement.failure(key: key, file: file)
        }
      }
    }
    if isDeferred { log.note("what nothing uses any more is left for later") }
    return files
  }
}

extension SQLiteMigrationRequirement {
  fileprivate func failure(key: Int64, file: URL) -> any Error {
    let remedy =
      isRelationship
      ? "Give the objects one with the old model first"
      : "Give the attribute a default value in the new model"
    return StoreFailure.error(
      NSMigrationError,
      """
      \(file.path): the store cannot be migrated: the new model requires a value of \(entity).\(property), which the \
      object \(entity)/p\(key) lacks. \(remedy), or migrate in stages.
      """,
      file: file,
      details: [
        "entity": entity, isRelationship ? "relationship" : "attribute": property, "reason": reason,
      ]
    )
  }
}

extension SQLiteMetadata {
  /// Whether a migration left something that nothing uses any more.
  var isCleanupDeferred: Bool {
    get { (properties[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool) ?? false }
    set { properties[NSPersistentStoreDeferredLightweightMigrationOptionKey] = newValue ? true : nil }
  }
}
