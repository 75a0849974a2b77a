import CoreData
import Foundation

/// The version of the model that a store has, and the one that it is to have.
struct StoreVersions {
  /// nil when the store has the new version already.
  let source: NSManagedObjectModel?
  let destination: NSManagedObjectModel
  /// True when the source is found in the store alone: it may be a later version than the
  /// destination.
  let isInStoreAlone: Bool

  /// - Parameters:
  ///   - metadata: the metadata of the store when it was looked at.
  ///   - options: the options of the store, for the time that it waits for others.
  init(
    of store: StoreLocation,
    metadata: [String: Any],
    older: String?,
    newer: String,
    options: [AnyHashable: Any]
  ) throws {
    destination = try ModelFile(newer).currentModel()
    if destination.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
      (source, isInStoreAlone) = (nil, false)
    } else if let known = try Self.source(of: store, metadata: metadata, older: older, newer: newer) {
      (source, isInStoreAlone) = (known, false)
    } else if let cached = CachedModel.read(store, options: options, metadata: metadata) {
      (source, isInStoreAlone) = (cached, true)
    } else {
      throw CommandFailure(
        store: store,
        problem: "the version of the model that the store was made with is neither in \(newer), nor beside it, nor in it",
        remedy: "give it with --from"
      )
    }
  }

  /// The model that the store was made with, among the files of the user; nil when none is it.
  private static func source(
    of store: StoreLocation,
    metadata: [String: Any],
    older: String?,
    newer: String
  ) throws -> NSManagedObjectModel? {
    if let older {
      if let model = try ModelFile(older).model(of: metadata) { return model }
      throw CommandFailure(
        file: older,
        problem: "the store \(store) was not made with this model",
        remedy: "leave --from out, or give the model that it was made with"
      )
    }
    if let model = try ModelFile(newer).model(of: metadata) { return model }
    return ModelSearch.beside(store, metadata: metadata)?.model
  }
}
