package import CoreData

/// Finds the natural key of each entity of a model.
///
/// The first of these that gives one:
/// 1. the header of a seed: `"$keys": {"Note": ["title"]}`;
/// 2. a uniqueness constraint, the entity's own or inherited: one of a single attribute, else one
///    of several properties, which may be attributes and to-one relationships;
/// 3. `identityAttributes` in the user info of the entity and of those it inherits from, as Groot's documentation of
///    annotations has it: the names of attributes separated by commas, those of the superentity first;
/// 4. attributes whose user info has `sync.isPrimaryKey` (in older models `hyper.isPrimaryKey`)
///    with the value `true` or `YES`, as Sync's documentation has it;
/// 5. an attribute named `identifier`, `id`, `remoteID`, `uuid`, `name` or `title`, in this order.
///    Names that look like identifiers go first, because two objects may well have the same name.
///
/// An empty list in the header, or an empty `identityAttributes`, means that the entity has no natural key.
package struct NaturalKeys: Equatable {
  private static let customaryNames = ["identifier", "id", "remoteID", "uuid", "name", "title"]

  /// The names of properties, by entity, that headers declare.
  private let declared: [String: [String]]

  package init(declared: [String: [String]] = [:]) { self.declared = declared }

  /// The natural key of an entity, nil when it has none.
  package func key(of entity: NSEntityDescription) -> NaturalKey? { key(of: entity, within: []) }

  /// - Parameter outer: The entities whose keys lead here by a relationship: a key cannot contain itself.
  private func key(of entity: NSEntityDescription, within outer: [NSEntityDescription]) -> NaturalKey? {
    guard !outer.contains(where: { $0 === entity }) else { return nil }
    let outer = outer + [entity]
    if let names = entity.lineage.lazy.compactMap({ declared[$0.name ?? ""] }).first {
      return key(names, of: entity, within: outer)
    }
    let constraints = entity.lineage.flatMap { $0.uniquenessConstraints.map(Self.names) }
    for names in constraints.filter({ $0.count == 1 }) + constraints.filter({ $0.count > 1 }) {
      if let key = key(names, of: entity, within: outer) { return key }
    }
    if let names = SeedAnnotations.identityAttributes(of: entity) { return key(names, of: entity, within: outer) }
    let flagged = entity.attributesByName.values.filter(SeedAnnotations.isPrimaryKey).map(\.name).sorted()
    if !flagged.isEmpty { return key(flagged, of: entity, within: outer) }
    return Self.customaryNames.lazy.compactMap { key([$0], of: entity, within: outer) }.first
  }

  /// Nil if one of the names does not belong to a property that can be part of a key.
  private func key(
    _ names: [String],
    of entity: NSEntityDescription,
    within outer: [NSEntityDescription]
  ) -> NaturalKey? {
    var parts: [NaturalKey.Part] = []
    for name in names {
      switch entity.propertiesByName[name] {
      case let attribute as NSAttributeDescription where NaturalKey.canIdentify(attribute):
        parts.append(.attribute(attribute))
      case let relationship as NSRelationshipDescription where !relationship.isToMany:
        guard let destination = relationship.destinationEntity, let key = key(of: destination, within: outer)
        else { return nil }
        parts.append(.relationship(relationship, key))
      default: return nil
      }
    }
    return parts.isEmpty ? nil : NaturalKey(parts: parts)
  }

  private static func names(_ constraint: [Any]) -> [String] {
    constraint.map { ($0 as? NSPropertyDescription)?.name ?? $0 as? String ?? "" }
  }
}
