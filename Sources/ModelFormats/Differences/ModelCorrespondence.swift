/// The entities and properties of a newer version of a model that have been there in an older one,
/// with their older names.
///
/// Names are matched by ``VersionedName/formerNames(of:in:)``. Properties are matched with properties
/// of their own kind: Apple's framework infers a mapping where a relationship has the name, or the
/// identifier, that an attribute had; the relationship is added, and the attribute removed.
package struct ModelCorrespondence: Sendable {
  let old: ModelHierarchy
  let new: ModelHierarchy
  /// The older names of the newer entities that have been there before.
  package let entities: [String: String]
  /// The older names of their properties, by the newer name of the entity.
  private let properties: [String: [String: String]]

  /// Compares the names of two versions of a model, each sound in itself.
  package init(from old: ModelDocument, to new: ModelDocument) {
    let (old, new) = (ModelHierarchy(old), ModelHierarchy(new))
    let entities = VersionedName.formerNames(
      of: new.document.entities.map { VersionedName($0.name, identifier: $0.elementID) },
      in: old.document.entities.map { VersionedName($0.name, identifier: $0.elementID) }
    )
    properties = Self.properties(of: entities, old: old, new: new)
    self.entities = entities
    self.old = old
    self.new = new
  }

  /// The older names of an entity's properties, inherited ones included, that have been there before.
  ///
  /// - Parameter entity: the newer name of an entity; one that was not there before has no such properties.
  package func properties(of entity: String) -> [String: String] { properties[entity] ?? [:] }

  private static func properties(
    of entities: [String: String],
    old: ModelHierarchy,
    new: ModelHierarchy
  ) -> [String: [String: String]] {
    var found: [String: [String: String]] = [:]
    for (name, formerName) in entities {
      guard let former = old.entities[formerName], let current = new.entities[name] else { continue }
      let (newer, older) = (new.properties(of: current), old.properties(of: former))
      for isOfKind in ModelHierarchy.Property.kinds {
        let names = VersionedName.formerNames(
          of: newer.filter(isOfKind).map { VersionedName($0.name, identifier: $0.identifier) },
          in: older.filter(isOfKind).map { VersionedName($0.name, identifier: $0.identifier) }
        )
        // An entity has only one property of a name, so that attributes and relationships can share a dictionary.
        found[name, default: [:]].merge(names) { first, _ in first }
      }
    }
    return found
  }
}

extension ModelDocument.Attribute {
  /// The elements of a composite with the older elements whose values they get; `nil` for new ones.
  static func matches(of elements: [Self], in former: [Self]) -> [(element: Self, former: Self?)] {
    let names = VersionedName.formerNames(
      of: elements.map { VersionedName($0.name, identifier: $0.elementID) },
      in: former.map { VersionedName($0.name, identifier: $0.elementID) }
    )
    return elements.map { element in
      (element, names[element.name].flatMap { name in former.first { $0.name == name } })
    }
  }
}
