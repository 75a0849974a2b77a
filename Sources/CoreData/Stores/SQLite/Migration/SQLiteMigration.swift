import Foundation
import SQLiteDriver

/// A lightweight migration of a SQLite store in place: statements in one transaction, so that the
/// store has either its old or its new schema at any time.
struct SQLiteMigration {
  private let migration: LightweightMigration
  private let file: URL
  /// The entities that the store is to have.
  private var entities: [NSEntityDescription] { migration.destination.entities }
  private let defersCleanup: Bool

  init(_ migration: LightweightMigration, file: URL, defersCleanup: Bool) {
    self.migration = migration
    self.file = file
    self.defersCleanup = defersCleanup
  }

  /// Migrates the store. If another process has done so already, so that the store has the
  /// destination's entities, nothing changes.
  ///
  /// - Throws: `NSMigrationError` when a row lacks a value that the destination requires,
  ///   `NSMigrationConstraintViolationError` when rows break a uniqueness constraint, or an error of SQLite.
  func run(_ connections: SQLiteConnections) throws {
    let external = ExternalDataFolder(store: file)
    do {
      try connections.prepareForWriting()
      let files = try connections.write { database in
        SQLiteMigrationFunctions.register(in: database, folder: external)
        return try migrate(database)
      }
      connections.release(SQLiteFileChanges(old: files), folder: external)
    } catch {
      throw failure(error)
    }
  }

  /// - Returns: the names of the external files that no row refers to any more.
  private func migrate(_ database: Database) throws -> [String] {
    let log = MigrationLog(file)
    let version = try SQLiteSchemaGuard.version(of: database)
    var content = try SQLiteContent(database, file: file)
    guard var metadata = content.metadata else { throw SQLiteFile(file).noStore() }
    if StoreMetadata.differences(metadata.properties, model: migration.destination, entities: entities)
      .isEmpty
    {
      log.report("another process has migrated the store")
      return []
    }
    let former = try migration.sourceEntities(of: metadata, store: file)
    if metadata.isCleanupDeferred {
      log.report("what an earlier migration has left is cleaned up first")
      // Tables that an earlier migration has left must not conflict with this one.
      let schema = try SQLSchemaBuilder.build(model: migration.source, entities: former, catalog: content.catalog)
      try SQLiteMigrationCleanup(schema: schema, file: file).runAll(database)
      content = try SQLiteContent(database, file: file)
    }
    let old = try SQLSchemaBuilder.build(model: migration.source, entities: former, catalog: content.catalog)
    let map = SQLMigrationMap(
      old: old,
      new: try SQLSchemaBuilder.build(
        model: migration.destination,
        entities: entities,
        formerJoins: SQLFormerJoins(schema: old, correspondence: migration.correspondence)
      ),
      correspondence: migration.correspondence
    )
    let plan = try SQLMigrationPlanner.plan(
      map,
      database: SQLMigrationSource(database),
      catalog: content.catalog,
      dialect: SQLiteDialect(),
      defersCleanup: defersCleanup
    )
    let files = try plan.run(in: database, file: file, log: log)
    try SQLiteHistoryMigration(map: map).run(database, catalog: content.catalog)
    metadata.setModel(migration.destination)
    metadata.setSQLiteProperties()
    metadata.setGuessedJoinTables(of: map.new, after: metadata.guessedJoinTables)
    metadata.isCleanupDeferred = plan.isDeferred
    try metadata.write(to: database, file: file, isNew: false)
    try SQLiteModelCache.replace(migration.destination, in: database)
    try SQLiteSchemaGuard.ensureChange(since: version, in: database)
    return files
  }

  private func failure(_ error: any Error) -> any Error {
    if let error = error as? DatabaseError, error.resultCode == .SQLITE_CONSTRAINT {
      return StoreFailure.error(
        NSMigrationConstraintViolationError,
        message: """
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

extension SQLMigrationPlan {
  /// Runs the plan in the transaction that is open.
  ///
  /// - Returns: the names of the external files that no row refers to any more.
  func run(in database: Database, file: URL, log: MigrationLog) throws -> [String] {
    let files = try lostFiles.flatMap { try SQLiteStore.fileNames($0, database: database) }
    for (index, step) in steps.enumerated() {
      let place = "step \(index + 1) of \(steps.count)"
      switch step {
      case .run(let statement):
        log.report("\(place): \(statement.sql)")
        try SQLiteQuery(statement, in: database, isCached: false).run()
      case .require(let query, let requirement):
        log.report("\(place): every \(requirement.entity) has to have \(requirement.property): \(query.sql)")
        if let key = try SQLiteQuery(query, in: database, isCached: false).integer() {
          throw requirement.failure(key: key, store: file)
        }
      }
    }
    if isDeferred { log.report("what nothing uses any more is left for later") }
    return files
  }
}
