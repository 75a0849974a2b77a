import Foundation
import SQLiteDriver

/// Opens a store: examines its place, and creates a new store or checks the existing one.
struct SQLiteStoreOpening {
  let file: URL
  let model: NSManagedObjectModel
  private let configuration: String
  private(set) var isReadOnly: Bool
  let ignoresVersions: Bool
  let tracksHistory: Bool
  /// Statements that take care of the whole file when it is opened.
  let maintenance: [String]
  private let stateLimits: StateLimits
  private let options: [AnyHashable: Any]?

  init(
    file: URL,
    model: NSManagedObjectModel,
    configuration: String,
    options: [AnyHashable: Any]?,
    isReadOnly: Bool
  ) throws {
    self.file = file
    self.model = model
    self.isReadOnly = isReadOnly
    guard model.storedEntities(forConfigurationName: configuration) != nil else {
      throw StoreFailure.open("The model has no configuration named \(configuration).", file: file)
    }
    self.configuration = configuration
    ignoresVersions = (options?[NSIgnorePersistentStoreVersioningOption] as? Bool) ?? false
    let tracking = options?[NSPersistentHistoryTrackingKey]
    tracksHistory = (tracking as? Bool) ?? (tracking is NSDictionary)
    maintenance = [(NSSQLiteManualVacuumOption, "VACUUM"), (NSSQLiteAnalyzeOption, "ANALYZE")]
      .filter { option, _ in options?[option] as? Bool == true }.map(\.1)
    stateLimits = try StateLimits(
      in: options,
      otherwise: SQLitePinnedSnapshots.standardLimits,
      of: file.path,
      at: file
    )
    self.options = options
  }

  /// Connects to the database of a store, as the store's options require. If there is no file, it is created.
  static func connect(to file: URL, options: [AnyHashable: Any]?, isReadOnly: Bool) throws -> SQLiteConnections {
    let readers = (options?[NSPersistentStoreConnectionPoolMaxSizeKey] as? NSNumber)?.intValue
    return try SQLiteConnections(
      file: file,
      isReadOnly: isReadOnly,
      pragmas: SQLitePragma.pragmas(in: options, file: file),
      timeout: StoreTimeout.seconds(in: options),
      readerCount: max(1, readers ?? SQLiteReaders.defaultCount)
    )
  }

  /// - Parameter early: connections that write, with which the store was looked at before; `nil` to make new ones.
  func open(with early: SQLiteConnections? = nil) throws -> (SQLiteStore.Engine, StoreMetadata) {
    let connections = try early ?? connect()
    do {
      if let opened = try open(connections) { return opened }
      try connections.close()
      var readOnly = self
      readOnly.isReadOnly = true
      return try readOnly.open()
    } catch {
      // The error that stopped the opening tells more than one of closing could.
      try? connections.close()
      throw SQLiteFailure.error(error, file: file, doing: "The store could not be opened")
    }
  }

  private func connect() throws -> SQLiteConnections {
    try StoreFile(file).checkPlace(mustExist: isReadOnly, isWritten: !isReadOnly)
    return try Self.connect(to: file, options: options, isReadOnly: isReadOnly)
  }

  /// What is at the store's place, of one moment.
  private struct Found {
    let version: Int64?
    let content: SQLiteContent
    let metadata: StoreMetadata
    let schema: SQLSchema
  }

  /// - Returns: `nil` when the store may only be read: its history would have a gap otherwise.
  private func open(_ connections: SQLiteConnections) throws -> (SQLiteStore.Engine, StoreMetadata)? {
    var found = try connections.look(find)
    if found == nil, isReadOnly { throw StoreFile(file).nothingToRead() }
    if let found, wouldLeaveGap(found) { return nil }
    try connections.prepareForWriting()
    if !isComplete(found) {
      // The file is examined again, because another process may have created or migrated the store in the meantime.
      found = try connections.write(complete)
      if let found, wouldLeaveGap(found) { return nil }
    }
    guard let found else { throw SQLiteFile(file).noStore() }
    if !isReadOnly {
      connections.removeLeftFiles(ExternalDataFolder(store: file))
      for statement in maintenance { try connections.maintain(statement) }
    }
    let historyLifetime = try SQLiteHistoryLifetime(options, file: file)
    let engine = SQLiteStore.Engine(
      schema: found.schema,
      connections: connections,
      history: SQLiteHistoryTables(found.content.catalog, schema: found.schema),
      tracksHistory: tracksHistory && !isReadOnly,
      guardian: SQLiteSchemaGuard(
        version: found.version,
        identifier: found.metadata.uuid,
        entityNumbers: found.content.catalog.entityNumbers,
        ignoresVersions: ignoresVersions
      ),
      historyLifetime: tracksHistory && !isReadOnly ? historyLifetime : nil,
      stateLimits: stateLimits
    )
    return (engine, found.metadata)
  }

  /// - Returns: `nil` if there is no store yet.
  /// - Throws: an error when the file is not a store, or belongs to another model.
  private func find(in database: Database) throws -> Found? {
    let version = try SQLiteSchemaGuard.version(of: database)
    let content = try SQLiteContent(database, file: file)
    if content.isEmpty { return nil }
    guard let metadata = content.metadata else { throw SQLiteFile(file).noStore() }
    let entities = model.entities(
      ofStoreWith: metadata.properties,
      configuration: configuration,
      ignoresVersions: ignoresVersions
    )
    try check(metadata, entities: entities)
    let schema = try model.schemas.schema(of: model, entities: entities, in: content.catalog) {
      try SQLSchemaBuilder.build(model: model, entities: entities, catalog: content.catalog)
    }
    return Found(version: version, content: content, metadata: metadata, schema: schema)
  }

  private func wouldLeaveGap(_ found: Found) -> Bool { found.content.hasTransactions && !tracksHistory && !isReadOnly }

  /// True when the store needs no further tables before it can be used.
  private func isComplete(_ found: Found?) -> Bool {
    guard let found else { return false }
    return isReadOnly || !tracksHistory
      || SQLiteHistoryTables.areComplete(found.content.catalog, schema: found.schema)
  }

  /// Creates the missing tables: all of a new store, or those of the history in a store without one.
  private func complete(in database: Database) throws -> Found? {
    if try SQLiteContent(database, file: file).isEmpty { try create(in: database) }
    guard let found = try find(in: database) else { return nil }
    if isComplete(found) { return found }
    try SQLiteHistoryTables.create(in: database, catalog: found.content.catalog, schema: found.schema)
    return try find(in: database)
  }

  /// Creates the tables of a new store, with all entities of the model.
  private func create(in database: Database) throws {
    let schema = try SQLSchemaBuilder.build(model: model, entities: model.entities)
    let dialect = SQLiteDialect()
    for statement in try schema.creationStatements(dialect) + SQLiteSystemTables.creationStatements {
      try database.execute(sql: statement)
    }
    for entity in schema.entities {
      let statement = SQLiteSystemTables.primaryKeyRow(entity, in: schema)
      try SQLiteQuery(statement, in: database, isCached: true).run()
    }
    var metadata = StoreMetadata(sqliteStoreOf: model)
    metadata.setGuessedJoinTables(of: schema)
    try metadata.write(to: database, file: file, isNew: true)
    try SQLiteModelCache.write(model, to: database)
  }

  private func check(_ metadata: StoreMetadata, entities: [NSEntityDescription]) throws {
    if let type = metadata.properties[NSStoreTypeKey] as? String, type != NSSQLiteStoreType {
      throw StoreFailure.error(
        NSPersistentStoreTypeMismatchError,
        message: "\(file.path) is a store of the type \(type), not \(NSSQLiteStoreType); open it as that.",
        file: file
      )
    }
    if ignoresVersions { return }
    try metadata.check(fits: model, entities: entities, file: file)
  }
}
