#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Predicates
  import Synchronization

  /// A store in a schema of a PostgreSQL database. Programs on many machines may have it open.
  // Locks guard all of its state.
  final class PostgreSQLStore: NSPersistentStore, ObjectStore, @unchecked Sendable {
    /// The parts that an open store stands on.
    // Immutable. The attributes of the rules belong to the model, which is frozen.
    final class Engine: SQLEngine, @unchecked Sendable {
      let url: URL
      let schema: SQLSchema
      let dialect: PostgreSQLDialect
      let connections: PostgreSQLConnections
      let plans: SQLRowPlans
      let texts: SQLFetchTexts
      let statements: SQLRowStatements
      let guardian: PostgreSQLSchemaGuard
      let derivationRules: [PostgreSQLDerivation.Rule]
      let history: PostgreSQLHistoryTables
      /// True when changes are recorded in the history.
      let tracksHistory: Bool
      /// Deletes old transactions of the history; `nil` when that is left to the application.
      let historyLifetime: PostgreSQLHistoryLifetime?
      /// True when the store has a history, whether or not it is continued.
      let hasHistory: Bool
      /// Notifies other programs of commits.
      let announcer: PostgreSQLAnnouncer
      let channel: PostgreSQLChannel
      /// The states that query generations hold.
      let states: PostgreSQLPinnedSnapshots
      let threads = PostgreSQLTransactionThreads()
      private let keys = PostgreSQLKeys()

      /// - Parameter folds: true where the schema has functions for folding texts.
      /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for a derived attribute that no store can compute.
      init(
        url: URL,
        schema: SQLSchema,
        connections: PostgreSQLConnections,
        identifier: String,
        folds: Bool,
        modelNumber: Int64,
        lastTransaction: Int64,
        tracksHistory: Bool,
        hasHistory: Bool,
        historyLifetime: PostgreSQLHistoryLifetime?,
        stateLimits: StateLimits
      ) throws {
        self.historyLifetime = historyLifetime
        self.tracksHistory = tracksHistory
        self.hasHistory = tracksHistory || hasHistory
        history = PostgreSQLHistoryTables(schema)
        derivationRules = try PostgreSQLDerivation.rules(of: schema)
        dialect = PostgreSQLDialect(folds: folds, schema: connections.address.schema)
        self.url = url
        self.schema = schema
        self.connections = connections
        channel = PostgreSQLChannel(
          connections.address,
          identifier: identifier,
          hasHistory: tracksHistory || hasHistory,
          usesNotifications: connections.capabilities[.listen]
        )
        states = PostgreSQLPinnedSnapshots(connections: connections, limits: stateLimits, at: url)
        announcer = PostgreSQLAnnouncer(channel: channel, connections: connections)
        guardian = PostgreSQLSchemaGuard(
          identifier: identifier,
          modelNumber: modelNumber,
          lastTransaction: tracksHistory ? nil : lastTransaction,
          store: url,
          metadata: connections.name(of: PostgreSQLSystemTables.metadata),
          lock: PostgreSQLStoreLock(connections.address)
        )
        plans = SQLRowPlans(schema: schema, dialect: dialect)
        texts = SQLFetchTexts(dialect: dialect)
        statements = SQLRowStatements(dialect: dialect)
      }

      var isReadOnly: Bool { false }

      /// The newest state of the store.
      var newest: PostgreSQLNewestState {
        PostgreSQLNewestState(connections: connections, guardian: guardian)
      }

      /// Reads the objects of the store.
      ///
      /// - Parameter index: the index of the store.
      func reader(_ index: Int32) -> SQLReader {
        SQLReader(
          schema: schema,
          dialect: dialect,
          plans: plans,
          texts: texts,
          store: index,
          file: url,
          largeData: { Data($0) }
        )
      }

      /// Reserves consecutive keys, outside of any transaction.
      ///
      /// - Parameter root: the root's number in the model.
      /// - Returns: the first of them.
      func reserveKeys(_ count: Int, root: Int32) throws -> Int64 {
        guard let entity = schema.entity(modelNumber: root) else {
          throw StoreFailure.error(
            NSPersistentStoreSaveError,
            message: "The store does not keep the entity with the number \(root)."
          )
        }
        return try keys.reserve(count, of: entity, from: connections)
      }
    }

    let opened = Mutex<Engine?>(nil)
    let watcher = Mutex<PostgreSQLChangeWatcher?>(nil)
    /// The connections of a store that was looked at, or migrated, and is not open yet.
    private let early = Mutex<PostgreSQLConnections?>(nil)
    let metadataState = StoreMetadataState()

    override var type: String { NSPostgreSQLStoreType }

    var nullRule: NullRule { .asInSQL }

    /// The URL of the store, without its password.
    var storeName: String { place.absoluteString }

    /// - Throws: an error when the store is closed.
    func engine() throws -> Engine {
      if let engine = opened.withLock({ $0 }) { return engine }
      throw closedError
    }

    /// Names the store in the errors of some work.
    func reading<Value>(_ failing: String, _ body: () throws -> Value) throws -> Value {
      do {
        return try body()
      } catch {
        throw PostgreSQLFailure.error(explained(error), store: place, doing: failing)
      }
    }

    /// The error that a program gets for an error of the server. If the store has changed since it was opened, a
    /// missing table or column is explained by that.
    private func explained(_ error: any Error) -> any Error {
      guard let failure = error as? PostgreSQLError, failure.isOfSchema,
        let engine = opened.withLock({ $0 })
      else { return error }
      return engine.guardian.explanation(of: failure, connections: engine.connections) ?? error
    }

    // MARK: - Metadata

    /// The metadata of the store. The store's own keys and its identity cannot be changed.
    override var metadata: [String: Any]! {
      get { metadataState.all }
      set { metadataState.setAll(newValue ?? [:]) }
    }

    override func loadMetadata() throws {
      if metadataState.isLoaded { return }
      apply(try Self.storedMetadata(at: place, options: options))
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
      try metadata(at: url, options: nil)
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
      try setMetadata(metadata, at: url, options: nil)
    }

    func apply(_ metadata: StoreMetadata) {
      identifier = metadata.uuid
      metadataState.wereLoaded(metadata)
    }

    // MARK: - Opening

    func open(model: NSManagedObjectModel) throws {
      try start(
        reading("The store could not be opened") {
          try openEngine(at: place, model: model, with: popEarlyConnections())
        }
      )
    }

    /// The connections of a store that is looked at, or migrated, before it is opened. They stay for the opening.
    func connectEarly() throws -> PostgreSQLConnections {
      if let connections = early.withLock({ $0 }) { return connections }
      let connections = try Self.connections(to: place, options: options)
      early.withLock { $0 = connections }
      return connections
    }

    private func popEarlyConnections() -> PostgreSQLConnections? {
      early.withLock { early in
        defer { early = nil }
        return early
      }
    }

    private func openEngine(
      at url: URL,
      model: NSManagedObjectModel,
      with early: PostgreSQLConnections? = nil
    ) throws -> (Engine, StoreMetadata) {
      let connections = try early ?? Self.connections(to: url, options: options)
      if let monitoring = persistentStoreCoordinator?.monitoring { connections.monitoring = monitoring }
      do {
        return try PostgreSQLStoreOpening(
          connections,
          url: url,
          model: model,
          configuration: configurationName,
          options: options
        )
        .open()
      } catch {
        connections.close()
        throw error
      }
    }

    static func connections(to url: URL, options: [AnyHashable: Any]?) throws -> PostgreSQLConnections {
      try PostgreSQLConnections(address(of: url, options: options), options: options)
    }

    static func address(of url: URL, options: [AnyHashable: Any]?) throws -> PostgreSQLAddress {
      do {
        var address = try PostgreSQLAddress(url.absoluteString)
        if let password = options?[PostgreSQLPasswordOption] as? String { address.password = password }
        return address
      } catch let error as PostgreSQLAddressError {
        // The error names a path, so that no later code adds the URL, which may contain a password.
        throw StoreFailure.error(
          NSPersistentStoreOpenError,
          message: error.localizedDescription,
          details: [NSFilePathErrorKey: "postgresql:"]
        )
      }
    }

    func relocate(to url: URL) throws {
      let model = try engine().schema.model
      // This throws if there is no store, because opening would create one.
      _ = try Self.storedMetadata(at: url, options: options)
      let found = try reading("The store could not be opened") { try openEngine(at: url, model: model) }
      try close()
      self.url = url
      try start(found)
    }

    deinit { stopWatching() }

    func close() throws {
      popEarlyConnections()?.close()
      stopWatching()
      let engine = opened.withLock { opened in
        defer { opened = nil }
        return opened
      }
      engine?.announcer.close()
      engine?.historyLifetime?.wait()
      defer { engine?.connections.close() }
      try engine?.states.close()
    }

    /// Removes the schema of the store with all that is in it.
    static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
      let connections = try connections(to: url, options: options)
      defer { connections.close() }
      let schema = connections.address.schema
      do {
        try connections.write { connection in
          try PostgreSQLMigrationLock(connections).take(connection)
          let content = try PostgreSQLContent(connection, schema: schema, store: url)
          if content.isEmpty { return }
          guard content.metadata != nil else {
            throw StoreFailure.error(
              CocoaError.fileReadCorruptFile.rawValue,
              message:
                "\(url.absoluteString): the schema \(schema) has tables, and is not a store; nothing is removed.",
              file: url
            )
          }
          try PostgreSQLSchema(schema).remove(connection)
        }
      } catch {
        throw PostgreSQLFailure.error(error, store: url, doing: "The store could not be destroyed")
      }
    }
  }

  extension PostgreSQLStore: WaitingStore {
    static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
      try storedMetadata(at: url, options: options).all
    }

    fileprivate static func storedMetadata(at url: URL, options: [AnyHashable: Any]?) throws -> StoreMetadata {
      let connections = try connections(to: url, options: options)
      defer { connections.close() }
      do {
        let schema = connections.address.schema
        let content = try connections.read { try PostgreSQLContent($0, schema: schema, store: url) }
        if let metadata = content.metadata { return metadata }
        throw StoreFailure.error(
          CocoaError.fileReadNoSuchFile.rawValue,
          message: "\(url.absoluteString): there is no store in the schema \(schema); check the URL.",
          file: url
        )
      } catch {
        throw PostgreSQLFailure.error(error, store: url, doing: "The metadata could not be read")
      }
    }

    static func setMetadata(_ metadata: [String: Any]?, at url: URL, options: [AnyHashable: Any]?) throws {
      var changed = try storedMetadata(at: url, options: options)
      let keys = changed.setAll(metadata ?? [:])
      let connections = try connections(to: url, options: options)
      defer { connections.close() }
      do {
        _ = try connections.write { try changed.write(keys, connection: $0, store: url) }
      } catch {
        throw PostgreSQLFailure.error(error, store: url, doing: "The metadata could not be written")
      }
    }
  }
#endif
