import CoreData
import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  /// Returns the page of the model: its entities with the rules of their properties, and their version hashes.
  func modelPage() -> Response {
    let model = explored.model
    let entities = catalogue.entities.compactMap { model.entitiesByName[$0.name] }
    let versions = model.versionIdentifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
    let fields = ModelPageFields(
      differenceAddress: address.modelDifference,
      versions: versions.isEmpty ? nil : Self.line(versions.joined(separator: ", ")),
      otherModel: otherModel.map { Self.line($0.name) },
      contents: entities.map { entity in
        let name = entity.name ?? ""
        return ContentsFields(contentsName: Self.line(name), contentsAddress: address.model(name))
      },
      entities: entities.map { entity($0) }
    )
    return .page(frame.page(fields, title: "Model", tab: .model))
  }

  private static func line(_ text: String) -> String { VisibleText(line: text, atMost: 300).description }

  private func entity(_ entity: NSEntityDescription) -> ModelEntityFields {
    let name = entity.name ?? ""
    let attributes = entity.attributesByName.values.sorted { $0.name < $1.name }
    let relationships = entity.relationshipsByName.values.sorted { $0.name < $1.name }
    let constraints = entity.uniquenessConstraints.map { constraint in
      constraint.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }.joined(separator: ", ")
    }
    return ModelEntityFields(
      anchor: PageAddress.anchor(name),
      name: Self.line(name),
      entityAddress: address.entity(name),
      className: Self.line(entity.managedObjectClassName ?? ""),
      hash: HexadecimalDigits.of(entity.versionHash),
      parent: entity.superentity?.name.map(Self.line),
      parentAddress: entity.superentity?.name.map { address.model($0) },
      constraints: constraints.isEmpty ? nil : Self.line(constraints.joined(separator: "; ")),
      indexes: entity.indexes.isEmpty
        ? nil : Self.line(entity.indexes.map(Self.words).joined(separator: "; ")),
      isAbstract: entity.isAbstract,
      attributes: attributes.map(attribute),
      relationships: relationships.map { relationship($0) }
    )
  }

  private static func words(_ index: NSFetchIndexDescription) -> String {
    "\(index.name) (\(index.elements.map { $0.property?.name ?? "expression" }.joined(separator: ", ")))"
  }

  private func attribute(_ attribute: NSAttributeDescription) -> ModelAttributeFields {
    var rules = attribute.isOptional ? ["optional"] : []
    if attribute.isTransient { rules.append("transient") }
    if let derived = attribute as? NSDerivedAttributeDescription {
      rules.append("derived: \(derived.derivationExpression.map { "\($0)" } ?? "")")
    }
    if let value = attribute.defaultValue { rules.append("default \(value)") }
    if attribute.allowsExternalBinaryDataStorage { rules.append("in files of its own where large") }
    rules += attribute.validationPredicates.map { "\($0)" }
    return ModelAttributeFields(
      attributeName: Self.line(attribute.name),
      attributeType: attribute.shownType,
      rules: Self.line(rules.joined(separator: "; "))
    )
  }

  private func relationship(_ relationship: NSRelationshipDescription) -> ModelRelationshipFields {
    let destination = relationship.destinationEntity?.name ?? ""
    var rules = relationship.isOptional ? ["optional"] : []
    if relationship.isOrdered { rules.append("ordered") }
    if relationship.isToMany, relationship.minCount > 0 { rules.append("at least \(relationship.minCount)") }
    if relationship.isToMany, relationship.maxCount > 0 { rules.append("at most \(relationship.maxCount)") }
    return ModelRelationshipFields(
      relationshipName: Self.line(relationship.name),
      relationshipKind: relationship.isToMany ? "to many" : "to one",
      destination: Self.line(destination),
      destinationAddress: address.model(destination),
      deleteRule: relationship.shownDeleteRule,
      rules: Self.line(rules.joined(separator: "; ")),
      inverse: relationship.inverseRelationship.map { Self.line($0.name) }
    )
  }
}
