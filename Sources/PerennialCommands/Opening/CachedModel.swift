import CoreData
import Foundation

/// The model that a store keeps in itself.
enum CachedModel {
  /// The store's own model; nil when it has none that fits it, and on Apple's platforms, whose framework does not
  /// give it away.
  static func read(_ store: String, _ metadata: [String: Any]) -> NSManagedObjectModel? {
    #if canImport(Darwin)
      return nil
    #else
      guard let model = try? NSManagedObjectModel(cachedIn: URL(fileURLWithPath: store)),
        model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      else { return nil }
      return model
    #endif
  }

  /// What the store's tables tell of its model; nil when they tell nothing, and on Apple's platforms.
  static func reduced(_ store: String) -> NSManagedObjectModel? {
    #if canImport(Darwin)
      return nil
    #else
      guard let model = try? NSManagedObjectModel(tablesOf: URL(fileURLWithPath: store)),
        !model.entities.isEmpty
      else { return nil }
      return model
    #endif
  }
}
