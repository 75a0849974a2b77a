import Foundation

/// Looks for the mapping model between two models.
struct MappingModelSearch {
  let source: NSManagedObjectModel
  let destination: NSManagedObjectModel

  /// The first mapping model in some bundles, by path, that fits; files that cannot be read are
  /// passed over.
  func mappingModel(in bundles: [Bundle]?) -> NSMappingModel? {
    ModelLocator.files(withExtension: "cdm", in: bundles).lazy.compactMap { NSMappingModel(contentsOf: $0) }
      .first(where: isFitting)
  }

  /// True when a mapping model is for these versions: all its mappings have the version hashes of
  /// the models' entities.
  func isFitting(_ mappingModel: NSMappingModel) -> Bool {
    let sourceHashes = source.entityVersionHashesByName
    let destinationHashes = destination.entityVersionHashesByName
    return !mappingModel.mappings.isEmpty
      && mappingModel.mappings.allSatisfy { mapping in
        isSame(mapping.sourceEntityName, mapping.sourceEntityVersionHash, in: sourceHashes)
          && isSame(
            mapping.destinationEntityName,
            mapping.destinationEntityVersionHash,
            in: destinationHashes
          )
      }
  }

  private func isSame(_ entity: String?, _ hash: Data?, in hashes: [String: Data]) -> Bool {
    guard let entity else { return true }
    guard let known = hashes[entity] else { return false }
    return hash == nil || hash == known
  }
}
