import ModelFormats

/// An entity as the picture shows it: its name, and a row for each property.
struct DiagramEntity: Sendable {
  /// A row in the box of an entity.
  struct Row: Sendable {
    enum Kind: String { case attribute, relationship, fetched, more }

    var kind: Kind
    /// The name, on the left.
    var name: String
    /// The type or destination, on the right.
    var detail: String
    /// The full description of the property, which appears when the user points at the row.
    var explanation: String
    /// True when the property is part of a uniqueness constraint.
    var isUnique = false
    /// True when stores do not save the property.
    var isTransient = false
  }

  let name: String
  let parent: String?
  let isAbstract: Bool
  let attributes: [Row]
  let relationships: [Row]
  let fetchedProperties: [Row]

  init(_ entity: ModelDocument.Entity) {
    name = entity.name
    parent = entity.parentEntity
    isAbstract = entity.isAbstract
    let unique = Set((entity.uniquenessConstraints ?? []).flatMap { $0.properties.map(\.value) })
    attributes = entity.attributes.map { attribute in
      Row(
        kind: .attribute,
        name: attribute.name,
        detail: attribute.typeWords + (attribute.isOptional ? "?" : ""),
        explanation: attribute.explanation(isUnique: unique.contains(attribute.name)),
        isUnique: unique.contains(attribute.name),
        isTransient: attribute.isTransient
      )
    }
    relationships = entity.relationships.map { relationship in
      Row(
        kind: .relationship,
        name: relationship.name,
        detail: relationship.destinationWords,
        explanation: relationship.explanation,
        isUnique: unique.contains(relationship.name),
        isTransient: relationship.isTransient
      )
    }
    fetchedProperties = entity.fetchedProperties.map { property in
      let destination = property.fetchRequest?.entity ?? "none"
      return Row(
        kind: .fetched,
        name: property.name,
        detail: "fetches \(destination)",
        explanation: "\(property.name): a fetched property of \(destination)"
      )
    }
  }

  /// Returns the rows of the box. A last row replaces the attributes beyond the limit.
  func rows(attributeLimit: Int?) -> [Row] {
    var shown = attributes[...]
    var more: [Row] = []
    // A row "1 more" would take as much space as the attribute that it replaces.
    if let limit = attributeLimit, attributes.count > max(0, limit) + 1 {
      shown = attributes.prefix(max(0, limit))
      let count = attributes.count - shown.count
      let words = "… \(count) more"
      let names = attributes.dropFirst(shown.count).prefix(100).map { "\($0.name) \($0.detail)" }
      let rest = count > names.count ? ", …" : ""
      more = [
        Row(kind: .more, name: words, detail: "", explanation: names.joined(separator: ", ") + rest)
      ]
    }
    return Array(shown) + more + fetchedProperties + relationships
  }
}

extension ModelDocument.Attribute {
  /// The type as the box shows it.
  fileprivate var typeWords: String {
    switch type {
    case nil: "no type"
    case .composite: composite ?? "Composite"
    case .transformable: customClassName ?? "Transformable"
    case .some(let type): type.rawValue
    }
  }

  fileprivate func explanation(isUnique: Bool) -> String {
    var words = [isOptional ? "optional" : "required"]
    if isTransient { words.append("transient") }
    if isUnique { words.append("unique") }
    if isDerived { words.append("derived: \(derivationExpression ?? "")") }
    if let value = defaultValueString { words.append("default \(value)") }
    if let least = minValueString { words.append("at least \(least)") }
    if let most = maxValueString { words.append("at most \(most)") }
    if let pattern = regularExpressionString { words.append("matches \(pattern)") }
    if allowsExternalBinaryDataStorage { words.append("large values in files of their own") }
    return "\(name): \(typeWords), " + words.joined(separator: ", ")
  }
}

extension ModelDocument.Relationship {
  /// The destination as the box shows it: `Note`, `Note?`, `{Note}` for a set and `[Note]` for an ordered set.
  fileprivate var destinationWords: String {
    let destination = destinationEntity ?? "no destination"
    var words =
      isToMany ? (isOrdered ? "[\(destination)]" : "{\(destination)}") : destination + (isOptional ? "?" : "")
    if isToMany, effectiveMinCount > 0 || effectiveMaxCount > 0 { words += " \(countWords)" }
    switch deletionRule {
    case .cascade: words += " · cascade"
    case .deny: words += " · deny"
    case .noAction: words += " · no action"
    case .nullify, nil: break
    }
    return words
  }

  private var countWords: String { "\(effectiveMinCount)…\(effectiveMaxCount > 0 ? String(effectiveMaxCount) : "")" }

  fileprivate var explanation: String {
    var words = ["to \(isToMany ? "many" : "one") \(destinationEntity ?? "(no destination)")"]
    if isOrdered { words.append("ordered") }
    words.append(isOptional ? "optional" : "required")
    if isToMany, effectiveMinCount > 0 || effectiveMaxCount > 0 { words.append("count \(countWords)") }
    if isTransient { words.append("transient") }
    words.append("deletion: \((deletionRule ?? .nullify).rawValue.lowercased())")
    words.append(inverseName.map { "inverse \($0)" } ?? "no inverse")
    return "\(name): " + words.joined(separator: ", ")
  }
}
