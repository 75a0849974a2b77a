import Foundation

extension SQLiteStore: InspectableStore {
  static var modelTable: String { "Z_MODELCACHE" }

  static func archivedModel(at url: URL, options: [AnyHashable: Any]?) throws -> Data? {
    try StoreFile(url).checkPlace(mustExist: true, isWritten: false)
    return try withConnections(url, isReadOnly: true, timeout: StoreTimeout.seconds(in: options)) { connections in
      try connections.look { try SQLiteModelCache.read(from: $0, file: url) }
    }
  }

  static func check(at url: URL, model: NSManagedObjectModel?, options: [AnyHashable: Any]?) throws -> any StoreCheck {
    try SQLiteStoreCheck(store: url, model: model, options: options)
  }
}

/// SQLite keeps decimal numbers as `REAL`, as Apple's stores do.
extension SQLiteStore: DecimalRoundingStore {}

extension SQLiteStore: MirrorableStore {}
