import Foundation

/// A store that waits for other connections, as long as its options say, also when its metadata are
/// read before it is opened.
///
/// Apple's methods of stores for metadata have no options.
package protocol WaitingStore: ObjectStore {
  /// The metadata of the store at a place.
  static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any]

  /// Replaces the metadata of the store at a place.
  static func setMetadata(_ metadata: [String: Any]?, at url: URL, options: [AnyHashable: Any]?) throws
}

extension NSPersistentStore {
  /// True when several processes can have the store open at once.
  package var isShared: Bool { self is any WaitingStore }
}
