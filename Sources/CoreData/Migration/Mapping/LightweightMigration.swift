import Foundation
package import ModelFormats

/// A change from one version of a model to another that is carried out without a mapping model of the application's.
package struct LightweightMigration {
  package let source: NSManagedObjectModel
  package let destination: NSManagedObjectModel
  /// The entities and properties of the two models with their former counterparts. The
  /// correspondence is computed once, for inference, planning and execution.
  package let correspondence: ModelCorrespondence
  private let wasImmutable: Bool

  init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
    self.source = source
    self.destination = destination
    wasImmutable = source.isFrozen && destination.isFrozen
    correspondence = ModelCorrespondence(from: ModelDocument(source), to: ModelDocument(destination))
  }

  /// True when the migration is between these very models, and they could not be changed since.
  func isOfImmutable(_ source: NSManagedObjectModel, destination: NSManagedObjectModel) -> Bool {
    source === self.source && destination === self.destination && wasImmutable
  }

  /// - Throws: `NSInferredMappingModelError` when a change prevents the migration. The message names the entity and the
  ///   property; the user info has them under `entity`, `property` and `reason`.
  func requireInferable() throws {
    guard let change = ModelDifference(correspondence).obstacles.first else { return }
    var userInfo: [String: Any] = ["reason": change.obstacle ?? ""]
    userInfo["entity"] = change.place?.entity
    userInfo["property"] = change.place?.property
    throw CocoaError.coreData(
      NSInferredMappingModelError,
      message: """
        no mapping can be inferred: \(change.subject): \(change.change): \(change.obstacle ?? ""). Give a mapping model, \
        or migrate in stages.
        """,
      userInfo: userInfo
    )
  }
}
