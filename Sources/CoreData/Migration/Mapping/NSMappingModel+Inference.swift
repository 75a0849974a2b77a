import Foundation
import Predicates

extension NSMappingModel {
  /// The lightweight migration with the same effect as the mapping, which a store can run with its own statements.
  ///
  /// Mappings can be edited after they were inferred, and models between the inference and the
  /// migration. So the mapping is compared with the one that is inferred now.
  ///
  /// - Returns: `nil` for a mapping model that was not inferred, or that differs from the inferred one.
  final func lightweightMigration(
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel
  ) -> LightweightMigration? {
    guard let inference else { return nil }
    let migration =
      inference.isOfImmutable(source, destination: destination)
      ? inference : LightweightMigration(from: source, to: destination)
    let inferred = MappingInference(migration).mappingModel().mappings
    return mappings.elementsEqual(inferred) { $0.isEquivalent(to: $1) } ? migration : nil
  }
}

extension NSEntityMapping {
  /// Returns true when a migration does the same by both mappings. Their user info has no part in it.
  fileprivate func isEquivalent(to other: NSEntityMapping) -> Bool {
    isOfSameEntities(as: other)
      && Self.areEquivalent(attributeMappings, others: other.attributeMappings)
      && Self.areEquivalent(relationshipMappings, others: other.relationshipMappings)
  }

  private static func areEquivalent(_ mappings: [NSPropertyMapping]?, others: [NSPropertyMapping]?) -> Bool {
    (mappings ?? []).elementsEqual(others ?? []) {
      $0.name == $1.name && $0.valueExpression == $1.valueExpression
    }
  }
}
