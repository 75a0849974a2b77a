/// The entities of a model with their inherited properties.
struct ModelHierarchy {
  /// A property, and the entity that declares it.
  struct Property {
    enum Kind {
      case attribute(ModelDocument.Attribute)
      case relationship(ModelDocument.Relationship)
      case fetched(ModelDocument.FetchedProperty)
    }

    let kind: Kind
    let owner: String

    /// For each kind of property, a function that returns true for the properties of this kind.
    static let kinds: [@Sendable (Property) -> Bool] = [
      { if case .attribute = $0.kind { true } else { false } },
      { if case .relationship = $0.kind { true } else { false } },
      { if case .fetched = $0.kind { true } else { false } },
    ]

    var name: String {
      switch kind {
      case .attribute(let attribute): attribute.name
      case .relationship(let relationship): relationship.name
      case .fetched(let property): property.name
      }
    }

    var identifier: String? {
      switch kind {
      case .attribute(let attribute): attribute.elementID
      case .relationship(let relationship): relationship.elementID
      case .fetched(let property): property.elementID
      }
    }

    var title: String {
      switch kind {
      case .attribute: "attribute \(name)"
      case .relationship: "relationship \(name)"
      case .fetched: "fetched property \(name)"
      }
    }
  }

  let document: ModelDocument
  let entities: [String: ModelDocument.Entity]

  init(_ document: ModelDocument) {
    self.document = document
    entities = Dictionary(document.entities.map { ($0.name, $0) }) { first, _ in first }
  }

  /// An entity's name and those of its ancestors, nearest first.
  func lineage(of name: String) -> [String] {
    var names: [String] = []
    var seen: Set<String> = []
    var current: String? = name
    while let name = current, seen.insert(name).inserted {
      names.append(name)
      current = entities[name]?.parentEntity
    }
    return names
  }

  func root(of name: String) -> String { lineage(of: name).last ?? name }

  func ownProperties(of entity: ModelDocument.Entity) -> [Property] {
    entity.attributes.map { Property(kind: .attribute($0), owner: entity.name) }
      + entity.relationships.map { Property(kind: .relationship($0), owner: entity.name) }
      + entity.fetchedProperties.map { Property(kind: .fetched($0), owner: entity.name) }
  }

  /// The properties of an entity, including inherited ones.
  func properties(of entity: ModelDocument.Entity) -> [Property] {
    lineage(of: entity.name).compactMap { entities[$0] }.flatMap { ownProperties(of: $0) }
  }
}
