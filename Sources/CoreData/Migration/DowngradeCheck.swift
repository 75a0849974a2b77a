import Foundation
import ModelFormats

/// Keeps a program from bringing a store down to an older model by default.
///
/// Versions of a model have no order of their own. A version that the program does not have may be a
/// later one, whose model is found in the store itself; a migration from it would end with what the
/// later program has written gone. So it is done only where it takes nothing away.
struct DowngradeCheck {
  let store: UnopenedStore
  let migration: LightweightMigration

  /// Does nothing where the migration takes nothing away, or where the store's options allow it.
  ///
  /// - Throws: `NSMigrationMissingSourceModelError` with what would be lost, in words and under
  ///   `lostEntities` and `lostProperties`.
  func run() throws {
    if store.place.options?[NSPersistentStoreAllowsDowngradeOption] as? Bool == true { return }
    let metadata = try store.metadata() ?? [:]
    let stored = NSManagedObjectModel.entityVersionHashes(inStoreMetadata: metadata) ?? [:]
    let loss = ModelLoss(
      migration.correspondence,
      stored: Set(stored.keys),
      remaining: Set(migration.destination.entities.compactMap(\.name))
    )
    if loss.isEmpty { return }
    let url = store.place.url
    throw CocoaError.coreData(
      NSMigrationMissingSourceModelError,
      message: """
        \(url.storeName): the store was made with a model (\(ModelVersionWords.version(of: metadata))) that this program does \
        not have, whose own is another (\(ModelVersionWords.version(of: migration.destination))); a migration would lose \
        \(loss.words). Nothing was changed. Open the store with the program that made it, add its model to this \
        program's .xcdatamodeld, or allow the loss with the option NSPersistentStoreAllowsDowngradeOption.
        """,
      userInfo: [
        NSURLErrorKey: url, NSFilePathErrorKey: url.storeName, "metadata": metadata,
        "lostEntities": loss.entities, "lostProperties": loss.properties,
      ]
    )
  }
}
