import ModelFormats

/// The composites that the attributes of entities are made of, as a document declares them: each
/// once, by name.
struct CompositeCollection {
  private var composites: [String: ModelDocument.Composite] = [:]

  /// The composites in the order of their names.
  var sorted: [ModelDocument.Composite] { composites.sorted { $0.key < $1.key }.map(\.value) }

  /// The document of an entity, with its composites added to the collection.
  mutating func entity(_ entity: NSEntityDescription) -> ModelDocument.Entity {
    var document = ModelDocument.Entity(entity)
    let attributes = entity.ownProperties.compactMap { $0 as? NSAttributeDescription }
    document.attributes = attributes.map { attribute($0) }
    return document
  }

  /// The document of an attribute, with the composite that it is made of added to the collection.
  mutating func attribute(_ attribute: NSAttributeDescription) -> ModelDocument.Attribute {
    var document = ModelDocument.Attribute(attribute)
    if let composite = attribute as? NSCompositeAttributeDescription {
      document.composite = name(of: composite)
    }
    return document
  }

  /// The name under which a composite is declared: the one that it came with, or its attribute's,
  /// with a number where a composite of other elements has that name.
  private mutating func name(of composite: NSCompositeAttributeDescription) -> String {
    let elements = composite.elements.map { attribute($0) }
    let wanted = composite.compositeName ?? composite.name
    var name = wanted
    var number = 1
    while let known = composites[name], known.attributes != elements {
      number += 1
      name = "\(wanted)\(number)"
    }
    composites[name] = ModelDocument.Composite(name: name, attributes: elements)
    return name
  }
}
