import Foundation
import ModelFormats

/// A change from one version of a model to another that is carried out without a mapping model of
/// the application's.
struct LightweightMigration {
  let source: NSManagedObjectModel
  let destination: NSManagedObjectModel
  /// The entities and properties of the two models with what they have been: found out once, and
  /// asked by all who infer, plan and carry out.
  let correspondence: ModelCorrespondence
  private let wasImmutable: Bool

  init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
    self.source = source
    self.destination = destination
    wasImmutable = source.isFrozen && destination.isFrozen
    correspondence = ModelCorrespondence(from: ModelDocument(source), to: ModelDocument(destination))
  }

  /// True when the migration is between these very models, and they could not be changed since.
  func isOfImmutable(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) -> Bool {
    source === self.source && destination === self.destination && wasImmutable
  }

  /// - Throws: `NSInferredMappingModelError` when a change prevents the migration. The message
  ///   names the entity and the property; the user info has them under `entity`, `property` and
  ///   `reason`.
  func requireInferable() throws {
    guard let change = ModelDifference(correspondence).obstacles.first else { return }
    var userInfo: [String: Any] = ["reason": change.obstacle ?? ""]
    userInfo["entity"] = change.place?.entity
    userInfo["property"] = change.place?.property
    throw CocoaError.coreData(
      NSInferredMappingModelError,
      """
      no mapping can be inferred: \(change.subject): \(change.change): \(change.obstacle ?? ""). Give a mapping model, \
      or migrate in stages.
      """,
      userInfo
    )
  }

  /// The entities of the source that a store has.
  ///
  /// The statements of a migration are those of one version of the model: in a store that another
  /// program has brought to a third one meanwhile they would drop what is new there.
  ///
  /// - Throws: `NSMigrationError` when the store is of another version.
  func sourceEntities(of metadata: StoreMetadata, store: URL) throws -> [NSEntityDescription] {
    try MigratedMeanwhile.requireVersion(of: metadata.properties, source, store: store)
  }
}
