/// The entities and properties of a newer version of a model that have been there in an older one,
/// with their older names.
///
/// Names are matched as Apple's framework matches them: by the renaming identifier (`elementID`),
/// else by name. Properties are matched with those of their own kind: Apple's framework infers a
/// mapping where a relationship has the name, or the identifier, that an attribute had; the one is
/// added, and the other removed.
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
    let entities = Self.match(
      new.document.entities.map { ($0.name, $0.elementID) },
      with: old.document.entities.map { ($0.name, $0.elementID) }
    )
    properties = Self.properties(of: entities, old, new)
    self.entities = entities
    self.old = old
    self.new = new
  }

  /// The older names of an entity's properties, inherited ones included, that have been there
  /// before.
  ///
  /// - Parameter entity: the newer name of an entity; one that was not there before has no such
  ///   properties.
  package func properties(of entity: String) -> [String: String] { properties[entity] ?? [:] }

  private static func properties(
    of entities: [String: String],
    _ old: ModelHierarchy,
    _ new: ModelHierarchy
  ) -> [String: [String: String]] {
    var found: [String: [String: String]] = [:]
    for (name, formerName) in entities {
      guard let former = old.entities[formerName], let current = new.entities[name] else { continue }
      let (newer, older) = (new.properties(of: current), old.properties(of: former))
      for isOfKind in ModelHierarchy.Property.kinds {
        let names = match(
          newer.filter(isOfKind).map { ($0.name, $0.identifier) },
          with: older.filter(isOfKind).map { ($0.name, $0.identifier) }
        )
        // An entity has one property of a name, so that no kind says anything about another's.
        found[name, default: [:]].merge(names) { first, _ in first }
      }
    }
    return found
  }

  /// The older name of each newer thing that has been there before: first by the renaming
  /// identifier as a name, then by equal canonical names, then by name.
  private static func match(
    _ new: [(name: String, identifier: String?)],
    with old: [(name: String, identifier: String?)]
  ) -> [String: String] {
    var free = Dictionary(old.map { ($0.name, $0.identifier ?? $0.name) }) { first, _ in first }
    var found: [String: String] = [:]
    for (name, identifier) in new {
      if let identifier, free.removeValue(forKey: identifier) != nil { found[name] = identifier }
    }
    for (name, identifier) in new where found[name] == nil {
      let canonical = identifier ?? name
      if let match = free.filter({ $0.value == canonical }).keys.min() {
        free[match] = nil
        found[name] = match
      }
    }
    for (name, _) in new where found[name] == nil && free.removeValue(forKey: name) != nil {
      found[name] = name
    }
    return found
  }
}
