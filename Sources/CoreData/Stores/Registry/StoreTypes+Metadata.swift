import Foundation

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
