import Foundation

/// Work on a store at a place that is not open, by the name of its type.
package enum StoreInspection {
  /// True when stores of a type can be checked.
  package static func canCheck(_ type: String) -> Bool {
    (try? StoreTypes.storeClass(of: type)) is any InspectableStore.Type
  }

  /// A check of the store at a place.
  ///
  /// - Parameters:
  ///   - type: the name of the store's type.
  ///   - url: the place of the store.
  ///   - model: the model that the store should fit; `nil` for the model in the store.
  ///   - options: the options of the store's connection.
  /// - Throws: an error that names the store, when it is not a store or has no model, or that names the type, when its
  ///   stores cannot be checked.
  package static func check(
    ofType type: String,
    at url: URL,
    model: NSManagedObjectModel?,
    options: [AnyHashable: Any]? = nil
  ) throws -> any StoreCheck {
    try inspectable(type, at: url).check(at: url, model: model, options: options)
  }

  /// Removes a store that was made in vain, unless something was saved in it.
  ///
  /// Another program may have found the store and saved into it meanwhile.
  ///
  /// - Parameters:
  ///   - type: the name of the store's type.
  ///   - url: the place of the store.
  ///   - options: the options of the store's connection.
  /// - Returns: false when the store is unchanged: something was saved in it, or stores of its type do not show that.
  /// - Throws: an error that names the store, when it cannot be read or removed.
  @discardableResult
  package static func removeUnused(
    ofType type: String,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> Bool {
    guard let storeClass = try StoreTypes.storeClass(of: type) as? any DiscardableStore.Type else { return false }
    return try storeClass.removeIfUnused(at: url, options: options)
  }

  /// - Throws: an error that names the store and the type whose stores cannot be inspected.
  static func inspectable(_ type: String, at url: URL) throws -> any InspectableStore.Type {
    if let storeClass = try StoreTypes.storeClass(of: type) as? any InspectableStore.Type { return storeClass }
    throw StoreFailure.error(
      NSPersistentStoreInvalidTypeError,
      message: "\(url.storeName): stores of the type \(type) keep no model, and cannot be checked.",
      file: url
    )
  }
}
