import Foundation

/// A store that keeps the model that it was made with, and whose content can be examined and repaired while the store is
/// not open.
package protocol InspectableStore: ObjectStore {
  /// The table with the archive of the model, for messages.
  static var modelTable: String { get }

  /// The archive of the model in the store at a place.
  ///
  /// - Parameter options: the options of the store's connection.
  /// - Returns: `nil` when the store has no archive.
  static func archivedModel(at url: URL, options: [AnyHashable: Any]?) throws -> Data?

  /// A check of the store at a place.
  ///
  /// - Parameters:
  ///   - model: the model that the store should fit; `nil` for the model in the store.
  ///   - options: the options of the store's connection.
  /// - Throws: an error that names the store, when it is not a store or has no model.
  static func check(at url: URL, model: NSManagedObjectModel?, options: [AnyHashable: Any]?) throws -> any StoreCheck
}
