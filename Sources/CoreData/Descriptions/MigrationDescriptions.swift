import Foundation
import Predicates

extension NSMappingModel {
  final func describe() -> String {
    ObjectHead.text(self, [("entityMappings", DescriptionNode.list(mappings.map(\.summary)).text())])
  }
}

extension NSEntityMapping {
  final func describe() -> String {
    ObjectHead.text(
      self,
      [
        ("name", name.orNull), ("mappingType", mappingType.name),
        ("sourceEntityName", sourceEntityName.orNull),
        ("destinationEntityName", destinationEntityName.orNull),
        ("sourceExpression", sourceExpression?.description),
        ("attributeMappings", Self.text(of: attributeMappings)),
        ("relationshipMappings", Self.text(of: relationshipMappings)),
        ("entityMigrationPolicyClassName", entityMigrationPolicyClassName),
      ]
    )
  }

  private static func text(of mappings: [NSPropertyMapping]?) -> String {
    mappings.map { DescriptionNode.list($0.map(\.summary), atMost: DescriptionNode.Limit.modelParts).text() }
      .orNull
  }

  /// One line of a mapping model.
  fileprivate final var summary: String {
    "\(name.orNull): \(mappingType.name) \(sourceEntityName.orNull) to \(destinationEntityName.orNull)"
  }
}

extension NSEntityMappingType {
  fileprivate var name: String {
    switch self {
    case .undefinedEntityMappingType: "undefined"
    case .customEntityMappingType: "custom"
    case .addEntityMappingType: "add"
    case .removeEntityMappingType: "remove"
    case .copyEntityMappingType: "copy"
    case .transformEntityMappingType: "transform"
    }
  }
}

extension NSPropertyMapping {
  final func describe() -> String {
    ObjectHead.text(self, [("name", name.orNull), ("valueExpression", (valueExpression?.description).orNull)])
  }

  /// One line of an entity mapping.
  fileprivate final var summary: String { "\(name.orNull) = \((valueExpression?.description).orNull)" }
}
