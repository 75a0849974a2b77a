import Foundation
import Predicates

// Apple's framework prints descriptions of models with the names of their settings, numbers for
// booleans, and the parts in property list style.

extension NSManagedObjectModel {
  /// The entities with the names of their properties. An entity and a property print more of themselves.
  final func describe() -> String {
    var entities: [DescriptionNode.Entry] = []
    for entity in ownEntities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") })
      .prefix(DescriptionNode.Limit.modelParts)
    {
      let names = entity.ownProperties.map(\.name).sorted()
      let shown = names.prefix(DescriptionNode.Limit.modelParts).joined(separator: ", ")
      entities.append(DescriptionNode.Entry(key: entity.name.orNull, value: .word("(\(shown))")))
    }
    let rest = ownEntities.count - entities.count
    if rest > 0 {
      entities.append(DescriptionNode.Entry(key: "...", value: .word("\"\(DescriptionNode.remark(rest))\"")))
    }
    let templates = templates.reduce(into: [AnyHashable: Any]()) { $0[$1.key] = $1.value }
    return """
      (\(ObjectHead.text(self))) isEditable \(isFrozen ? 0 : 1), entities \(DescriptionNode.dictionary(entities).text()), \
      fetch request templates \(DescriptionNode.entries(templates).text())
      """
  }
}

extension NSEntityDescription {
  final func describe() -> String {
    """
    (\(ObjectHead.text(self))) name \(name.orNull), managedObjectClassName \(className), \
    renamingIdentifier \((explicitRenamingIdentifier ?? name).orNull), isAbstract \(isAbstract ? 1 : 0), \
    superentity name \((parent?.name).orNull), properties \(parts(allOrOwnProperties)), \
    subentities \(parts(children)), userInfo \(DescriptionNode.entries(userInfo ?? [:]).text()), \
    versionHashModifier \(versionHashModifier.orNull), uniquenessConstraints \(constraints)
    """
  }

  /// Inherited ones as well, once the model is in use.
  private final var allOrOwnProperties: [NSPropertyDescription] { isFrozen ? allProperties : ownProperties }

  private final func parts(_ properties: [NSPropertyDescription]) -> String {
    let parts = properties.reduce(into: [AnyHashable: Any]()) { $0[$1.name] = $1 }
    return DescriptionNode.entries(parts, atMost: DescriptionNode.Limit.modelParts).text()
  }

  private final func parts(_ entities: [NSEntityDescription]) -> String {
    let parts = entities.reduce(into: [AnyHashable: Any]()) { $0[$1.name ?? ""] = ObjectHead.text($1) }
    return DescriptionNode.entries(parts, atMost: DescriptionNode.Limit.modelParts).text()
  }

  private final var constraints: String {
    DescriptionNode.list(uniquenessConstraints) { constraint in
      .list(constraint.map { "\(Self.propertyName($0))" })
    }.text()
  }
}

extension NSPropertyDescription {
  /// The text that all properties print. Subclasses print more after it.
  final func describeProperty() -> String {
    """
    (\(ObjectHead.text(self))), name \(name), isOptional \(isOptional ? 1 : 0), isTransient \(isTransient ? 1 : 0), \
    entity \((owner?.name).orNull), renamingIdentifier \(explicitRenamingIdentifier ?? name), \
    validation predicates \(DescriptionNode.list(predicates.map(\.printedText)).text()), \
    warnings \(DescriptionNode.list(warnings) { .value($0) }.text()), \
    versionHashModifier \(versionHashModifier.orNull)
     userInfo \(DescriptionNode.entries(userInfo ?? [:]).text())
    """
  }
}

extension NSAttributeDescription {
  final func describeAttribute() -> String {
    let value = boxedDefaultValue.map { DescriptionNode.value($0).text() }
    return """
      \(describeProperty()), attributeType \(attributeType.rawValue) , \
      attributeValueClassName \(attributeValueClassName.orNull), defaultValue \(value.orNull), \
      preservesValueInHistoryOnDeletion \(preservesValueInHistoryOnDeletion ? "YES" : "NO")
      """
  }
}

extension NSRelationshipDescription {
  final func describe() -> String {
    """
    \(describeProperty()), destinationEntity \(destinationName.orNull), \
    inverseRelationship \(inverseName.orNull), minCount \(minCount), maxCount \(maxCount), \
    isOrdered \(isOrdered ? 1 : 0), deleteRule \(deleteRule.name)
    """
  }
}

extension NSDeleteRule {
  fileprivate var name: String {
    switch self {
    case .noActionDeleteRule: "noAction"
    case .nullifyDeleteRule: "nullify"
    case .cascadeDeleteRule: "cascade"
    case .denyDeleteRule: "deny"
    }
  }
}

extension NSFetchIndexDescription {
  final func describe() -> String {
    ObjectHead.text(
      self,
      [
        ("name", name), ("entity", (owner?.name).orNull),
        ("elements", DescriptionNode.list(elements.map(\.summary)).text()),
        ("partialIndexPredicate", partialIndexPredicate.map { "(\($0.printedText))" }),
      ]
    )
  }
}

extension NSFetchIndexElementDescription {
  final func describe() -> String {
    ObjectHead.text(
      self,
      [
        ("property", propertyName.orNull), ("collationType", "\(collationType)"),
        ("isAscending", isAscending ? "1" : "0"),
      ]
    )
  }

  /// One line of an index.
  fileprivate final var summary: String {
    "\(propertyName.orNull) \(isAscending ? "ascending" : "descending")\(collationType == .rTree ? " rTree" : "")"
  }
}
