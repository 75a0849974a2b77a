import Foundation

/// Finds the model that a store was made with.
struct SourceModelSearch {
  let place: StorePlace
  let metadata: [String: Any]

  /// A model out of the program's resources, as Apple's framework looks for one, or else the one that a SQLite store
  /// keeps in itself.
  ///
  /// - Throws: `NSMigrationMissingSourceModelError`.
  func model() throws -> NSManagedObjectModel {
    if let found = NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata) {
      MigrationLog(place.url).note("the model of the store is among the program's resources")
      return found
    }
    if let cached {
      MigrationLog(place.url).note("the model of the store is the one that is kept in it")
      return cached
    }
    throw MigrationFailure.error(
      NSMigrationMissingSourceModelError,
      """
      \(place.url.path): the store cannot be migrated, since the model that it was made with is neither among the \
      program's resources nor in the store; add that version to the .xcdatamodeld.
      """,
      [NSURLErrorKey: place.url, NSFilePathErrorKey: place.url.path, "metadata": metadata]
    )
  }

  private var cached: NSManagedObjectModel? {
    guard place.type == NSSQLiteStoreType, let hashes = StoreMetadata.versionHashes(in: metadata),
      let model = try? NSManagedObjectModel(cachedIn: place.url)
    else { return nil }
    let own = model.entityVersionHashesByName
    return hashes.allSatisfy { own[$0.key] == $0.value } ? model : nil
  }
}
