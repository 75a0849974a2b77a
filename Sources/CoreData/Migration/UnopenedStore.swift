import Files
import Foundation

/// A store that is not open, as a migration finds it at its place.
struct UnopenedStore {
  let place: StoreDescriptor
  let storeClass: any ObjectStore.Type
  /// The store itself, where it carries out migrations by its own means; `nil` for any other, of
  /// which there is an object only when nothing at its place changes any more.
  let migratable: (any MigratableStore)?
  /// Reports a migration to the monitor.
  let monitoring: StoreMonitoring

  /// The metadata of the store; `nil` where there is none yet.
  func metadata() throws -> [String: Any]? {
    if let migratable { return try migratable.metadataBeforeOpening() }
    guard place.url.isFileURL, [.regular, .folder].contains(FileKind(resolving: place.url.path)) else { return nil }
    return try storeClass.metadataForPersistentStore(with: place.url)
  }

  /// The model that is cached in the store; `nil` where there is none, or none that can be read.
  var cachedModel: NSManagedObjectModel? { try? (migratable as? any ModelCachingStore)?.cachedModel() }

  /// Closes the files and connections with which the store was inspected.
  func close() throws { try migratable?.close() }
}
