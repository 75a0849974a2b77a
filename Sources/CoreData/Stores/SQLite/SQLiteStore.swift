import Foundation
import Predicates
import SQLiteDriver
import Synchronization

/// A store in a SQLite database, with the tables and the metadata that Apple's framework gives one.
///
/// The store has a SQL engine: a schema and a dialect, which write statements as values, and
/// connections, which run them.
// Locks guard all of its state.
final class SQLiteStore: NSPersistentStore, ObjectStore, @unchecked Sendable {
  /// The parts that an open store stands on.
  final class Engine: Sendable {
    let schema: SQLSchema
    let dialect = SQLiteDialect()
    let connections: SQLiteConnections
    let plans: SQLRowPlans
    let texts: SQLFetchTexts
    let statements: SQLRowStatements
    let external: ExternalDataFolder
    /// The tables of the history; `nil` when the store has none.
    let history: SQLiteHistoryTables?
    /// True when changes are recorded in the history.
    let tracksHistory: Bool
    /// Refuses to write after another program has replaced the schema; `nil` where no other program can do so.
    let guardian: SQLiteSchemaGuard?
    /// The states that query generations hold.
    let states: SQLitePinnedSnapshots
    var file: URL { connections.file }
    var isReadOnly: Bool { connections.isReadOnly }
    var hasHistory: Bool { history != nil }
    /// Deletes old transactions of the history; `nil` when that is left to the application.
    let historyLifetime: SQLiteHistoryLifetime?
    /// The reader of the store's objects, once it was created.
    let lastReader = Mutex<SQLReader?>(nil)

    init(
      schema: SQLSchema,
      connections: SQLiteConnections,
      history: SQLiteHistoryTables? = nil,
      tracksHistory: Bool = false,
      guardian: SQLiteSchemaGuard? = nil,
      historyLifetime: SQLiteHistoryLifetime? = nil,
      stateLimits: StateLimits = SQLitePinnedSnapshots.standardLimits
    ) {
      self.schema = schema
      self.connections = connections
      self.history = history
      self.tracksHistory = tracksHistory
      self.guardian = guardian
      self.historyLifetime = historyLifetime
      states = SQLitePinnedSnapshots(connections: connections, limits: stateLimits)
      plans = SQLRowPlans(schema: schema, dialect: dialect)
      texts = SQLFetchTexts(dialect: dialect)
      statements = SQLRowStatements(dialect: dialect)
      external = ExternalDataFolder(store: connections.file)
    }
  }

  private let opened = Mutex<Engine?>(nil)
  /// The connections of a store that was looked at, or migrated, and is not open yet.
  private let early = Mutex<SQLiteConnections?>(nil)
  private let watcher = Mutex<SQLiteChangeWatcher?>(nil)
  let metadataState = StoreMetadataState()

  override var type: String { NSSQLiteStoreType }

  var nullRule: NullRule { .asInSQL }

  /// The store's file.
  var file: URL { place }

  var storeName: String { file.path }

  /// - Throws: an error when the store is closed.
  func engine() throws -> Engine {
    if let engine = opened.withLock({ $0 }) { return engine }
    throw closedError
  }

  // MARK: - Metadata

  /// The metadata of the store. The store's own keys and its identity cannot be changed.
  override var metadata: [String: Any]! {
    get { metadataState.all }
    set { metadataState.setAll(newValue ?? [:]) }
  }

  override func loadMetadata() throws {
    if metadataState.isLoaded { return }
    apply(try Self.metadata(at: file))
  }

  override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    try metadata(at: url, options: nil)
  }

  override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    try setMetadata(metadata, at: url, options: nil)
  }

  private func apply(_ metadata: StoreMetadata) {
    identifier = metadata.uuid
    metadataState.wereLoaded(metadata)
  }

  // MARK: - Opening

  func open(model: NSManagedObjectModel) throws {
    // The opening reads them again, and the ledger of a large seed should not be in memory twice.
    metadataState.unload()
    try start(openEngine(at: file, model: model, with: popEarlyConnections()))
  }

  /// The connections of a store that is looked at, or migrated, before it is opened. They stay for the opening.
  func connectEarly() throws -> SQLiteConnections {
    if let connections = early.withLock({ $0 }) { return connections }
    try StoreFile(file).checkPlace(mustExist: true, isWritten: true)
    let connections = try SQLiteStoreOpening.connect(to: file, options: options, isReadOnly: false)
    early.withLock { $0 = connections }
    return connections
  }

  private func popEarlyConnections() -> SQLiteConnections? {
    early.withLock { early in
      defer { early = nil }
      return early
    }
  }

  func relocate(to url: URL) throws {
    let model = try engine().schema.model
    // This throws if there is no store, because opening would create one.
    _ = try Self.metadata(at: url)
    let found = try openEngine(at: url, model: model)
    try close()
    self.url = url
    try start(found)
  }

  private func openEngine(
    at file: URL,
    model: NSManagedObjectModel,
    with connections: SQLiteConnections? = nil
  ) throws -> (Engine, StoreMetadata) {
    try SQLiteStoreOpening(
      file: file,
      model: model,
      configuration: configurationName,
      options: options,
      isReadOnly: (options?[NSReadOnlyPersistentStoreOption] as? Bool) ?? false
    )
    .open(with: connections)
  }

  private func start(_ found: (engine: Engine, metadata: StoreMetadata)) throws {
    apply(found.metadata)
    isReadOnly = found.engine.connections.isReadOnly
    if let monitoring = persistentStoreCoordinator?.monitoring { found.engine.connections.monitoring = monitoring }
    opened.withLock { $0 = found.engine }
    try startWatching(found.engine)
  }

  private func startWatching(_ engine: Engine) throws {
    guard options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey] as? Bool == true else { return }
    let started = try reading("The store could not be watched") {
      try SQLiteChangeWatcher(engine.connections, hasHistory: engine.history != nil) {
        [weak self] transaction in self?.postRemoteChange(transaction: transaction)
      }
    }
    watcher.withLock { $0 = started }
  }

  func close() throws {
    try popEarlyConnections()?.close()
    let watcher = watcher.withLock { watcher in
      defer { watcher = nil }
      return watcher
    }
    try watcher?.stop()
    let engine = opened.withLock { opened in
      defer { opened = nil }
      return opened
    }
    try engine?.states.close()
    if let engine, !engine.connections.isReadOnly { engine.connections.removeReleasedFiles(engine.external) }
    engine?.connections.refreshStatistics()
    try engine?.connections.close()
  }
}
