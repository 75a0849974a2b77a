import Foundation

extension NSManagedObjectModel {
  private static let freezing = NSLock()

  /// Makes the model immutable, checks it, and fills in what only a whole model can know: inherited
  /// properties, destinations and inverses, roots and entity numbers.
  ///
  /// The coordinator calls it before it uses the model; calling it again does nothing. A mistake in
  /// the model stops the program, with the entity, the property and the remedy: model files are
  /// checked when they are read, so only a model built in code can get here in such a state.
  package final func freeze() {
    Self.freezing.lock()
    defer { Self.freezing.unlock() }
    if isFrozen { return }
    ownEntities = Self.withDescendants(ownEntities)
    for entity in ownEntities { entity.model = self }
    checkNames()
    frozenEntitiesByName = Self.byName(ownEntities)
    numberEntities()
    for entity in numberedEntities { entity.freezeProperties() }
    for entity in numberedEntities { freezeRelationships(of: entity) }
    isFrozen = true
    for entity in numberedEntities {
      entity.frozenLayout = EntityLayout(entity: entity, objectClass: ClassRegister.objectClass(of: entity))
    }
    ClassRegister.add(self)
  }

  private func checkNames() {
    var names: Set<String> = []
    for entity in ownEntities {
      guard let name = entity.name, !name.isEmpty else {
        fatalError("an entity of the model has no name; set NSEntityDescription.name.")
      }
      if !names.insert(name).inserted {
        fatalError("the model contains two entities named \(name); give each a name of its own.")
      }
      if let parent = entity.parent, parent.model !== self {
        fatalError(
          """
          entity \(name) inherits from \(parent.name ?? "(without a name)"), which is not in the model; \
          add that entity to NSManagedObjectModel.entities.
          """
        )
      }
    }
  }

  /// Numbers the entities as Apple-made stores do: roots by name regardless of case, each followed
  /// by its descendants in the same order.
  private func numberEntities() {
    numberedEntities.reserveCapacity(ownEntities.count)
    func number(_ entity: NSEntityDescription, root: NSEntityDescription) {
      numberedEntities.append(entity)
      entity.number = numberedEntities.count
      entity.frozenRoot = root
      entity.frozenParent = entity.parent
      for child in EntityOrder.sorted(entity.children) { number(child, root: root) }
      entity.lastDescendantNumber = numberedEntities.count
    }
    for root in EntityOrder.sorted(ownEntities.filter({ $0.parent == nil })) {
      number(root, root: root)
    }
  }

  private func freezeRelationships(of entity: NSEntityDescription) {
    for case let relationship as NSRelationshipDescription in entity.ownProperties {
      relationship.frozenDestination = destination(of: relationship)
      relationship.destination = relationship.frozenDestination
      relationship.frozenInverse = inverse(of: relationship)
      relationship.inverse = relationship.frozenInverse
    }
  }

  /// The destination inside this model: the entity itself, or the one of that name when the
  /// relationship was copied from another model, or from one that is gone.
  private func destination(of relationship: NSRelationshipDescription) -> NSEntityDescription {
    guard let name = relationship.destinationName else {
      fatalError(
        """
        relationship \(relationship.modelPath) has no destination entity; set destinationEntity to an \
        entity of the same model.
        """
      )
    }
    if let entity = relationship.destination, entity.model === self { return entity }
    guard let namesake = frozenEntitiesByName[name] else {
      fatalError(
        """
        relationship \(relationship.modelPath) leads to entity \(name), which is not in the model; \
        add it to NSManagedObjectModel.entities.
        """
      )
    }
    return namesake
  }

  private func inverse(of relationship: NSRelationshipDescription) -> NSRelationshipDescription? {
    guard let inverse = relationship.inverseRelationship else { return nil }
    let destination = relationship.frozenDestination
    guard let found = destination?.allRelationshipsByName[inverse.name] else {
      fatalError(
        """
        relationship \(relationship.modelPath) has the inverse \(inverse.modelPath), which is not a \
        relationship of its destination \(destination?.name ?? ""); add it to that entity's properties.
        """
      )
    }
    if let back = found.inverseRelationship, back.name != relationship.name {
      fatalError(
        """
        relationship \(relationship.modelPath) has the inverse \(found.modelPath), whose own inverse is \
        \(back.modelPath); set inverseRelationship of each to the other.
        """
      )
    }
    return found
  }
}

/// The order in which Apple-made stores number entities.
enum EntityOrder {
  /// Entities by name regardless of case; by the bytes of their names where that makes no difference.
  static func sorted(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    entities
      .map { (key: ($0.name ?? "").lowercased(), name: $0.name ?? "", entity: $0) }
      .sorted { ($0.key, $0.name) < ($1.key, $1.name) }
      .map(\.entity)
  }
}

extension NSEntityDescription {
  /// Fills in the entity's properties with the inherited ones; the superentity comes first.
  fileprivate final func freezeProperties() {
    allProperties = inheritedProperties + ownProperties
    var names: Set<String> = []
    for property in allProperties {
      if property.name.isEmpty {
        fatalError("a property of entity \(name ?? "") has no name; set NSPropertyDescription.name.")
      }
      if !names.insert(property.name).inserted {
        fatalError(
          """
          entity \(name ?? "") contains the property \(property.name) twice, perhaps by inheritance; \
          give each property a name of its own.
          """
        )
      }
    }
    for property in ownProperties { property.isFrozen = true }
    for index in indexes { index.isFrozen = true }
    allAttributes = allProperties.compactMap { $0 as? NSAttributeDescription }
    allRelationships = allProperties.compactMap { $0 as? NSRelationshipDescription }
    allPropertiesByName = Self.byName(allProperties)
    allAttributesByName = Self.byName(allAttributes)
    allRelationshipsByName = Self.byName(allRelationships)
    isFrozen = true
  }
}
