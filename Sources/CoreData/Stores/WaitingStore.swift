import Foundation

/// A store that waits for other connections, as long as its options say, also when its metadata are
/// read before it is opened.
///
/// Apple's methods of stores for metadata have no options.
protocol WaitingStore: ObjectStore {
  /// The metadata of the store at a place.
  static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any]

  /// Replaces the metadata of the store at a place.
  static func setMetadata(_ metadata: [String: Any]?, at url: URL, options: [AnyHashable: Any]?) throws
}

extension StoreTypes {
  /// The metadata of a store of a type that is not open.
  static func metadata(of type: String, at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
    let storeClass = try storeClass(of: type)
    guard let waiting = storeClass as? any WaitingStore.Type else {
      return try storeClass.metadataForPersistentStore(with: url)
    }
    return try waiting.metadata(at: url, options: options)
  }

  /// Replaces the metadata of a store of a type that is not open.
  static func setMetadata(
    _ metadata: [String: Any]?,
    of type: String,
    at url: URL,
    options: [AnyHashable: Any]?
  ) throws {
    let storeClass = try storeClass(of: type)
    guard let waiting = storeClass as? any WaitingStore.Type else {
      return try storeClass.setMetadata(metadata, forPersistentStoreAt: url)
    }
    try waiting.setMetadata(metadata, at: url, options: options)
  }
}
