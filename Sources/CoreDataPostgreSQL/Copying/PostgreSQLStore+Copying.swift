#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// A store in PostgreSQL is copied piece by piece, and made by one transaction.
  extension PostgreSQLStore: StreamableStore {
    func streaming(as index: Int32, _ work: (any StoreContents) throws -> Void) throws {
      let engine = try engine()
      // The content that the work has written stays written. A retry therefore needs a new receiver, and is impossible
      // with this one.
      var hasBegun = false
      var errorOfReceiver: PostgreSQLError?
      do {
        try reading("The store could not be copied") {
          try engine.connections.read(checkedBy: engine.guardian, canRepeat: { !hasBegun }) { connection in
            try connection.requireAllRows()
            let schema = engine.connections.address.schema
            let content = try PostgreSQLContent(connection, schema: schema, store: place)
            guard let metadata = content.metadata else { throw Self.noStore(at: place, schema: schema) }
            hasBegun = true
            do {
              try work(engine.contents(connection, metadata: metadata, index: index))
            } catch let error as PostgreSQLError where connection.isUsable && connection.transaction == .open {
              errorOfReceiver = error
              throw error
            }
          }
        }
      } catch {
        // The receiving store can interpret its server's error, and may begin again.
        throw errorOfReceiver ?? error
      }
    }

    static func create(
      at place: StoreDescriptor,
      model: NSManagedObjectModel,
      configuration: String?,
      _ fill: (any StoreReceiver) throws -> Void
    ) throws {
      try create(at: place, model: model, configuration: configuration, replacing: false, fill)
    }

    static func replace(
      _ url: URL,
      options: [AnyHashable: Any]?,
      withCopyOf source: URL,
      options sourceOptions: [AnyHashable: Any]?
    ) throws {
      let place = StoreDescriptor(url: url, type: NSPostgreSQLStoreType, options: options)
      try withContents(of: source, options: sourceOptions) { model, stream in
        try create(at: place, model: model, configuration: nil, replacing: true, stream)
      }
    }

    /// Opens a store that is to be copied, by the model that is in it.
    ///
    /// - Parameter body: gets the model, and what streams the contents to a receiver.
    static func withContents(
      of source: URL,
      options: [AnyHashable: Any]?,
      _ body: (_ model: NSManagedObjectModel, _ stream: (any StoreReceiver) throws -> Void) throws -> Void
    ) throws {
      let model = try NSManagedObjectModel(cachedIn: source, options: options)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      var readOnly = options ?? [:]
      readOnly[NSReadOnlyPersistentStoreOption] = true
      let store = StoreDescriptor(url: source, type: NSPostgreSQLStoreType, options: readOnly)
        .makeStore(of: PostgreSQLStore.self, in: coordinator)
      model.freeze()
      try store.open(model: model)
      defer { try? store.close() }
      try body(model) { receiver in
        try store.streaming(as: receiver.index) { try receiver.receive($0) }
      }
    }

    /// - Parameter transaction: runs statements in a transaction that writes, and again where its connection is lost, also
    ///   in its commit.
    static func create(
      at place: StoreDescriptor,
      model: NSManagedObjectModel,
      configuration: String?,
      replacing: Bool,
      in transaction:
        @escaping (PostgreSQLConnections, (PostgreSQLConnection) throws -> Void) throws -> Void = {
          try $0.write($1)
        },
      _ fill: (any StoreReceiver) throws -> Void
    ) throws {
      let connections = try connections(to: place.url, options: place.options)
      defer { connections.close() }
      do {
        let opening = try PostgreSQLStoreOpening(
          connections,
          url: place.url,
          model: model,
          configuration: configuration ?? NSManagedObjectModel.defaultConfigurationName,
          options: [NSPersistentHistoryTrackingKey: true]
        )
        // By its row, an attempt whose connection was lost in the commit is found by the next one.
        let key = connections.outcomes.newKey()
        var wasFilled = false
        try transaction(connections) { connection in
          if wasFilled {
            // The session of that attempt may be at work, and holds the lock until its end can be seen.
            try opening.takeLock(connection)
            if try PostgreSQLOutcomes.isKept(key, connection: connection) { return }
          }
          try fill(
            PostgreSQLReceiver(
              engine: try opening.createAnew(connection, replacing: replacing),
              connection: connection
            )
          )
          try connection.run(PostgreSQLOutcomes.insertion(of: key))
          wasFilled = true
        }
      } catch {
        throw PostgreSQLFailure.error(error, store: place.url, doing: "The store could not be copied")
      }
    }

    static func requireNothing(at place: StoreDescriptor) throws {
      let connections = try connections(to: place.url, options: place.options)
      defer { connections.close() }
      do {
        let schema = connections.address.schema
        let content = try connections.read { try PostgreSQLContent($0, schema: schema, store: place.url) }
        if !content.isEmpty { throw isTaken(place.url, schema: schema) }
      } catch {
        throw PostgreSQLFailure.error(error, store: place.url, doing: "The place could not be looked at")
      }
    }

    static func isTaken(_ url: URL, schema: String) -> any Error {
      StoreFailure.error(
        CocoaError.fileWriteFileExists.rawValue,
        message: """
          \(url.absoluteString): the schema \(schema) has a store already, or other tables; destroy it, or name another \
          schema by ?schema=.
          """,
        file: url
      )
    }

    static func noStore(at url: URL, schema: String) -> any Error {
      StoreFailure.error(
        CocoaError.fileReadNoSuchFile.rawValue,
        message: "\(url.absoluteString): there is no store in the schema \(schema); check the URL.",
        file: url
      )
    }
  }

  extension PostgreSQLStore.Engine {
    /// The contents of the store in the snapshot of a connection.
    ///
    /// - Parameter index: the index of the store that references in rows are to have.
    func contents(_ connection: PostgreSQLConnection, metadata: StoreMetadata, index: Int32)
      -> SQLStoreContents<PostgreSQLQueryConnection>
    {
      let pieces = PostgreSQLPieces(connection: connection)
      return SQLStoreContents(
        reader: reader(index),
        connection: PostgreSQLQueryConnection(connection: connection),
        metadata: metadata,
        lastKeyColumn: "last",
        end: { try pieces.end(of: $0, after: $1) },
        history: PostgreSQLHistoryContents(engine: self, connection: connection)
      )
    }
  }

  extension PostgreSQLStoreOpening {
    /// Makes a store, in the transaction that is open.
    ///
    /// - Parameter replacing: true to remove an existing store.
    /// - Throws: an error when there is a store that must not be replaced, or something that is not a store.
    func createAnew(_ connection: PostgreSQLConnection, replacing: Bool) throws -> PostgreSQLStore.Engine {
      try takeLock(connection)
      let content = try PostgreSQLContent(connection, schema: schemaName, store: url)
      if !content.isEmpty {
        guard replacing else { throw PostgreSQLStore.isTaken(url, schema: schemaName) }
        guard content.metadata != nil else { throw noStore() }
        try takeTables(content.catalog.tables.values.map(\.name), connection: connection)
        // The schema itself stays, because it may have grants.
        try PostgreSQLSchema(schemaName).removeContents(connection)
      }
      try create(connection)
      // Programs that have the former store open are to notice that it is another one now.
      try connection.run(
        "UPDATE perennial_metadata SET model_number = $1",
        values: [.integer(content.modelNumber + 1)]
      )
      guard let engine = try find(connection, folds: makesFunctions)?.0 else { throw noStore() }
      return engine
    }
  }

  /// Finds out how many rows are few enough for memory, since the server gives out all rows of a query at once.
  private struct PostgreSQLPieces {
    private static let longest = 1000
    private static let largest = 8 << 20

    let connection: PostgreSQLConnection
    private let dialect = PostgreSQLDialect()

    init(connection: PostgreSQLConnection) { self.connection = connection }

    /// The last key of the next piece, which has at least one row after the given key; `nil` when there are no more rows.
    func end(of table: SQLTable, after key: Int64) throws -> Int64? {
      let large = table.columns.filter {
        ["text", "bytea"].contains(dialect.elementType($0.storage, of: $0.attributeType))
      }
      // The length of a value that is stored out of line (TOAST) is known without reading it:
      // <https://www.postgresql.org/docs/current/storage-toast.html>.
      let size =
        (["0"] + large.map { "COALESCE(octet_length(\(dialect.identifier($0.name))), 0)::bigint" })
        .joined(separator: " + ")
      let result = try connection.run(
        """
        SELECT \(table.primaryKey), \(size) FROM \(dialect.identifier(table.name)) \
        WHERE \(table.primaryKey) > $1::bigint ORDER BY \(table.primaryKey) LIMIT \(Self.longest)
        """,
        values: [.integer(key)],
        isCached: true
      )
      var (sum, last): (Int64, Int64?) = (0, nil)
      for row in 0..<result.rowCount {
        sum += result.integer(row, column: 1) ?? 0
        if last != nil, sum > Self.largest { break }
        last = result.integer(row, column: 0)
      }
      return last
    }
  }
#endif
