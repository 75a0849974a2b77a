import CoreData
import Foundation

/// The version of the model that a store has, and the version that it is migrated to.
struct StoreVersions {
  /// nil when the store already has the destination version.
  let source: NSManagedObjectModel?
  let destination: NSManagedObjectModel
  /// True when the source model was found only in the store: it may then be a later version than the destination.
  let isInStoreAlone: Bool

  /// - Parameters:
  ///   - metadata: the metadata of the store when the command read it last.
  ///   - options: the store options, which limit the wait for other programs.
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
        problem:
          "the version of the model that the store was made with is neither in \(newer), nor next to the store, nor in it",
        remedy: "give it with --from"
      )
    }
  }

  /// The model that the store was made with, from the user's files; nil when none of them has it.
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
    return ModelSearch.adjacent(to: store, metadata: metadata)?.model
  }
}
