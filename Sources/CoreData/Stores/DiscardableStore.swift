import Foundation

/// A store that can be removed if nothing was saved in it, whatever other connections do meanwhile.
package protocol DiscardableStore: ObjectStore {
  /// Removes the store at a place with all that belongs to it, unless something was saved in it: an object, even one that
  /// was deleted later, or metadata. No other connection can write in the meantime: a waiting writer finds the store
  /// removed.
  ///
  /// - Returns: false when something was saved in the store, which is then unchanged.
  /// - Throws: an error that names the store, when it cannot be read or removed.
  static func removeIfUnused(at url: URL, options: [AnyHashable: Any]?) throws -> Bool
}
