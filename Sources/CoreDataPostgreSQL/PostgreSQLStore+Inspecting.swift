#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLStore: InspectableStore {
    static var modelTable: String { PostgreSQLSystemTables.model }

    static func archivedModel(at url: URL, options: [AnyHashable: Any]?) throws -> Data? {
      try PostgreSQLModelCache.archive(at: url, options: options)
    }

    static func check(
      at url: URL,
      model: NSManagedObjectModel?,
      options: [AnyHashable: Any]?
    ) throws -> any StoreCheck {
      try PostgreSQLStoreCheck(store: url, model: model, options: options)
    }
  }

  extension PostgreSQLStore: LibraryStore {
    static var library: LinkedLibrary {
      LinkedLibrary(name: "libpq", version: PostgreSQLClientLibrary.version, problems: [])
    }
  }
#endif
