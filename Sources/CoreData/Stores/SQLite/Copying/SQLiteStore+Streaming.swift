import Foundation
import SQLiteDriver

/// A store in SQLite can be copied to a store of another type. To create it from a store of another
/// type, the contents are written to a temporary file in the same folder.
extension SQLiteStore: StreamableStore {
  func streaming(as index: Int32, _ work: (any StoreContents) throws -> Void) throws {
    let engine = try engine()
    try reading("The store could not be copied") {
      try engine.connections.read { database in
        let content = try SQLiteContent(database, file: file)
        guard let metadata = content.metadata else { throw SQLiteFile(file).noStore() }
        let tables = SQLiteHistoryTables(content.catalog, schema: engine.schema)
        try work(
          SQLStoreContents(
            reader: engine.reader(index),
            connection: SQLiteQueryConnection(database: database),
            metadata: metadata,
            lastKeyColumn: "Z_MAX",
            end: nil,
            history: tables.map { SQLiteHistoryContents(engine: engine, tables: $0, database: database) }
          )
        )
      }
    }
  }

  static func create(
    at place: StoreDescriptor,
    model: NSManagedObjectModel,
    configuration: String?,
    _ fill: (any StoreReceiver) throws -> Void
  ) throws {
    try create(at: place.url) { url in
      var options = place.options ?? [:]
      options[NSReadOnlyPersistentStoreOption] = nil
      let store = StoreDescriptor(url: url, type: NSSQLiteStoreType, options: options)
        .makeStore(
          of: SQLiteStore.self,
          in: NSPersistentStoreCoordinator(managedObjectModel: model),
          configuration: configuration
        )
      try store.open(model: model)
      do {
        try SQLiteWriteSession.run(in: store, through: store.engine().connections) { session in
          try fill(try SQLiteReceiver(session))
          try session.flush()
        }
        try store.close()
      } catch {
        try? store.close()
        throw error
      }
    }
  }

  static func requireNothing(at place: StoreDescriptor) throws { try SQLiteFile(place.url).checkIsFree() }

  static func replace(
    _ url: URL,
    options: [AnyHashable: Any]?,
    withCopyOf source: URL,
    options sourceOptions: [AnyHashable: Any]?
  ) throws {
    try replace(url, withCopyOf: source, options: options)
  }
}
