import Foundation

/// The failure of a migration that has changed nothing, because another process has migrated the
/// store to another version of its model since the store was inspected.
///
/// The caller can inspect the store again, and migrate it from that version.
package enum MigratedMeanwhile {
  /// The key in the user info that identifies such an error.
  private static let key = "isMigratedMeanwhile"

  /// The entities of a model that a store has.
  ///
  /// - Parameters:
  ///   - metadata: the store's present metadata, read while other writers are kept out.
  ///   - source: the model that the store had when it was inspected.
  /// - Throws: `NSMigrationError` when the store is of another version.
  static func requireVersion(
    of metadata: [String: Any],
    source: NSManagedObjectModel,
    store: URL
  ) throws -> [NSEntityDescription] {
    let names = NSManagedObjectModel.entityVersionHashes(inStoreMetadata: metadata) ?? [:]
    let entities = source.entities.filter { names[$0.name ?? ""] != nil }
    let differences = source.versionDifferences(fromStoreMetadata: metadata, entities: entities)
    if differences.isEmpty { return entities }
    throw StoreFailure.error(
      NSMigrationError,
      message: """
        \(store.storeName): another program has brought the store to another version of its model since it was looked at \
        (\(ModelVersionWords.version(of: metadata)); \(differences.joined(separator: "; "))). Nothing was \
        changed; open it again, with a program that has this version.
        """,
      file: store,
      details: [key: true]
    )
  }

  /// True for such an error, also where another one has it as its reason.
  package static func isReason(for error: any Error) -> Bool {
    let userInfo = (error as NSError).userInfo
    if userInfo[key] as? Bool == true { return true }
    return (userInfo[NSUnderlyingErrorKey] as? any Error).map(isReason) ?? false
  }
}
