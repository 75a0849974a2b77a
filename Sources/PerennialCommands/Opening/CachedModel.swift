import CoreData
import Foundation
import ModelFormats

/// The model that a store contains.
enum CachedModel {
  /// The store's own model; nil when the store does not have a matching one, and on Apple's platforms, whose
  /// framework does not expose it.
  static func read(_ store: StoreLocation, options: [AnyHashable: Any], metadata: [String: Any])
    -> NSManagedObjectModel?
  {
    #if canImport(Darwin)
      return nil
    #else
      guard let model = try? NSManagedObjectModel(cachedIn: store.url, options: options),
        model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      else { return nil }
      return model
    #endif
  }

  /// The model in a store, with everything that a model file contains.
  static func document(_ store: StoreLocation) throws -> ModelDocument {
    #if canImport(Darwin)
      throw CommandFailure(
        store: store,
        problem: "the model in a store can be read on Linux alone",
        remedy: "give a .momd or .mom"
      )
    #else
      try store.check()
      return try NSManagedObjectModel.document(cachedIn: store.url)
    #endif
  }

  /// The model that a store was made with, with everything that a model file contains: the one in the store,
  /// or else the one next to it.
  static func documentOrAdjacent(_ store: StoreLocation) throws -> ModelDocument {
    #if canImport(Darwin)
      return try document(store)
    #else
      do {
        return try document(store)
      } catch {
        guard let metadata = try? ClosedStore.metadata(of: store),
          let found = ModelSearch.adjacent(to: store, metadata: metadata)
        else { throw error }
        return ModelDocument(found.model)
      }
    #endif
  }

  /// The model as far as the store's tables show it; nil when they do not show any, and on Apple's platforms.
  static func reduced(_ store: StoreLocation) -> NSManagedObjectModel? {
    #if canImport(Darwin)
      return nil
    #else
      guard !store.isOnServer, let model = try? NSManagedObjectModel(tablesOf: store.url),
        !model.entities.isEmpty
      else { return nil }
      return model
    #endif
  }
}
