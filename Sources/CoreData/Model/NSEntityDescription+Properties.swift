extension NSEntityDescription {
  /// True for a key path across a relationship to many.
  final func leadsToMany(_ keyPath: String) -> Bool {
    var current: NSEntityDescription? = self
    for key in keyPath.split(separator: ".").map(String.init) {
      let relationship = current?.allPropertiesByName[key] as? NSRelationshipDescription
      if relationship?.isToMany == true { return true }
      current = relationship?.frozenDestination
    }
    return false
  }

  /// The properties: the inherited ones first, then the entity's own, as they were set.
  ///
  /// Setting them sets the entity's own; inherited ones among them are left where they are. A
  /// property of another entity stops the program, as does a second property of the same name.
  public final var properties: [NSPropertyDescription] {
    get { isFrozen ? allProperties : inheritedProperties + ownProperties }
    set {
      requireMutable("properties")
      setOwnProperties(newValue)
    }
  }

  /// The properties, inherited ones included, by name.
  public final var propertiesByName: [String: NSPropertyDescription] {
    isFrozen ? allPropertiesByName : Self.byName(properties)
  }

  /// The attributes, inherited ones included, by name.
  ///
  /// ```swift
  /// for (name, attribute) in plant.attributesByName where attribute.attributeType == .stringAttributeType {
  ///   print(name)  // name
  /// }
  /// ```
  public final var attributesByName: [String: NSAttributeDescription] {
    isFrozen ? allAttributesByName : Self.byName(properties.compactMap { $0 as? NSAttributeDescription })
  }

  /// The relationships, inherited ones included, by name.
  public final var relationshipsByName: [String: NSRelationshipDescription] {
    isFrozen
      ? allRelationshipsByName : Self.byName(properties.compactMap { $0 as? NSRelationshipDescription })
  }

  /// The relationships, inherited ones included, whose destination is the given entity;
  /// relationships to its super- or subentities are not included.
  public final func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
    properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.destinationEntity === entity }
  }

  /// Returns true when the entity is the one given or inherits from it.
  public final func isKindOf(entity: NSEntityDescription) -> Bool {
    if self === entity { return true }
    if isFrozen, entity.isFrozen {
      // Descendants are numbered right after their ancestor.
      return frozenRoot === entity.frozenRoot
        && number > entity.number && number <= entity.lastDescendantNumber
    }
    var ancestor = parent
    while let candidate = ancestor {
      if candidate === entity { return true }
      ancestor = candidate.parent
    }
    return false
  }

  /// The properties of all superentities, from the root down.
  final var inheritedProperties: [NSPropertyDescription] {
    guard let parent else { return [] }
    return parent.inheritedProperties + parent.ownProperties
  }

  static func byName<Property: NSPropertyDescription>(_ properties: [Property]) -> [String: Property] {
    Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }

  private func setOwnProperties(_ newProperties: [NSPropertyDescription]) {
    let inherited = Set(inheritedProperties.map(ObjectIdentifier.init))
    let own = newProperties.filter { !inherited.contains(ObjectIdentifier($0)) }
    var names: Set<String> = []
    for property in own {
      if !property.name.isEmpty, !names.insert(property.name).inserted {
        fatalError(
          """
          entity \(name ?? "(without a name)") already contains a property named \(property.name); \
          give each property a name of its own.
          """
        )
      }
      if let other = property.owner, other !== self, other.ownProperties.contains(where: { $0 === property }) {
        fatalError(
          """
          \(property.modelPath) cannot be a property of entity \(name ?? "(without a name)") too; \
          give that entity a copy: property.copy() as! NSPropertyDescription.
          """
        )
      }
    }
    let current = Set(own.map(ObjectIdentifier.init))
    for property in ownProperties where !current.contains(ObjectIdentifier(property)) { property.owner = nil }
    for property in own { property.owner = self }
    ownProperties = own
  }
}
