import Files
import Foundation

/// A store that is not open, as a migration finds it at its place.
struct UnopenedStore {
  let place: StorePlace
  let storeClass: any ObjectStore.Type
  /// The store itself, where it carries out migrations by its own means; `nil` for any other, of
  /// which there is an object only when nothing at its place changes any more.
  let migratable: (any MigratableStore)?

  /// The metadata of the store; `nil` where there is none yet.
  func metadata() throws -> [String: Any]? {
    if let migratable { return try migratable.metadataBeforeOpening() }
    guard place.url.isFileURL, [.regular, .folder].contains(FileKind(behind: place.url.path)) else {
      return nil
    }
    return try storeClass.metadataForPersistentStore(with: place.url)
  }

  /// The model that is cached in the store; `nil` where there is none, or none that can be read.
  var cachedModel: NSManagedObjectModel? { try? (migratable as? any ModelCachingStore)?.cachedModel() }

  /// Lets go of what was opened to look at the store.
  func close() throws { try migratable?.close() }
}

/// Finds the model that a store was made with.
struct SourceModelSearch {
  let store: UnopenedStore
  let metadata: [String: Any]

  /// A model out of the program's resources, as Apple's framework looks for one, or else the one
  /// that the store keeps in itself.
  ///
  /// - Throws: `NSMigrationMissingSourceModelError`.
  func model() throws -> NSManagedObjectModel {
    let url = store.place.url
    if let found = NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata) {
      MigrationLog(url).report("the model of the store is among the program's resources")
      return found
    }
    if let cachedModel {
      MigrationLog(url).report("the model of the store is the one that is kept in it")
      return cachedModel
    }
    throw MigrationFailure.error(
      NSMigrationMissingSourceModelError,
      """
      \(url.path): the store cannot be migrated, since the model that it was made with is neither among the \
      program's resources nor in the store; add that version to the .xcdatamodeld.
      """,
      [NSURLErrorKey: url, NSFilePathErrorKey: url.path, "metadata": metadata]
    )
  }

  private var cachedModel: NSManagedObjectModel? {
    guard let hashes = NSManagedObjectModel.entityVersionHashes(inStoreMetadata: metadata),
      let model = store.cachedModel
    else { return nil }
    let own = model.entityVersionHashesByName
    return hashes.allSatisfy { own[$0.key] == $0.value } ? model : nil
  }
}
