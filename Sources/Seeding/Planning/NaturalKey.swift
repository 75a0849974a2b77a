package import CoreData

/// The attribute by which people name an entity's objects, in seeds and in references.
///
/// The first of these that gives one:
/// 1. a uniqueness constraint of one attribute, the entity's own or inherited;
/// 2. `identityAttributes` in the user info of the entity or of one it inherits from, as Groot writes it: the
///    name of one attribute. Empty means that the entity has no natural key, and its records are always inserted;
/// 3. an attribute named `identifier`, `id`, `uuid`, `name` or `title`, in this order. What looks like an
///    identifier goes first, because two objects may well have the same name.
package struct NaturalKey {
  static let userInfoKey = "identityAttributes"
  static let customaryNames = ["identifier", "id", "uuid", "name", "title"]

  let attribute: NSAttributeDescription

  package var name: String { attribute.name }

  package init?(of entity: NSEntityDescription) {
    let attributes = entity.attributesByName
    if let attribute = Self.constrained(entity, attributes) {
      self.attribute = attribute
      return
    }
    if let declared = Self.declared(entity) {
      guard let attribute = attributes[declared], Self.canIdentify(attribute) else { return nil }
      self.attribute = attribute
      return
    }
    let customary = Self.customaryNames.lazy.compactMap { attributes[$0] }.first(where: Self.canIdentify)
    guard let customary else { return nil }
    attribute = customary
  }

  private static func constrained(
    _ entity: NSEntityDescription,
    _ attributes: [String: NSAttributeDescription]
  ) -> NSAttributeDescription? {
    for ancestor in entity.lineage {
      for constraint in ancestor.uniquenessConstraints where constraint.count == 1 {
        let name = (constraint[0] as? NSPropertyDescription)?.name ?? constraint[0] as? String
        if let name, let attribute = attributes[name], canIdentify(attribute) { return attribute }
      }
    }
    return nil
  }

  private static func declared(_ entity: NSEntityDescription) -> String? {
    entity.lineage.lazy.compactMap { $0.userInfo?[userInfoKey] as? String }.first
  }

  private static func canIdentify(_ attribute: NSAttributeDescription) -> Bool {
    guard !attribute.isTransient else { return false }
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
      .stringAttributeType, .dateAttributeType, .UUIDAttributeType, .URIAttributeType:
      return true
    default:
      return false
    }
  }
}

extension NSEntityDescription {
  /// The entity and those it inherits from, itself first.
  var lineage: some Sequence<NSEntityDescription> {
    sequence(first: self, next: \.superentity)
  }
}
