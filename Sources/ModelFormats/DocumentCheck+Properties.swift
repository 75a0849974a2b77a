extension DocumentCheck {
  func check(_ entity: ModelDocument.Entity) throws(ModelFileError) {
    let place = "entity \(entity.name)"
    try checkPropertyNames(of: entity)
    for attribute in entity.attributes {
      try check(attribute, in: place)
    }
    for relationship in entity.relationships {
      try check(relationship, of: entity)
    }
    for property in entity.fetchedProperties {
      guard let request = property.fetchRequest else {
        throw error(
          property.line,
          "\(place), fetchedProperty \(property.name)",
          nil,
          "the fetched property has no <fetchRequest>"
        )
      }
      try check(request, in: "\(place), fetchedProperty \(property.name)")
    }
    try checkIndexes(of: entity)
  }

  private func checkPropertyNames(of entity: ModelDocument.Entity) throws(ModelFileError) {
    var names = entity.parentEntity.flatMap { entities[$0] }.map { propertyNames(of: $0) } ?? []
    let own =
      entity.attributes.map { ("attribute", $0.name, $0.line) }
      + entity.relationships.map { ("relationship", $0.name, $0.line) }
      + entity.fetchedProperties.map { ("fetchedProperty", $0.name, $0.line) }
    for (kind, name, line) in own where !names.insert(name).inserted {
      throw error(
        line,
        "entity \(entity.name), \(kind) \(name)",
        "name",
        "the entity has another property of this name, or inherits one; give each a name of its own"
      )
    }
  }

  /// The names of all properties, inherited ones included; ancestors have been checked for cycles.
  private func propertyNames(of entity: ModelDocument.Entity) -> Set<String> {
    var names: Set<String> = []
    var current: ModelDocument.Entity? = entity
    while let entity = current {
      names.formUnion(entity.attributes.map(\.name))
      names.formUnion(entity.relationships.map(\.name))
      names.formUnion(entity.fetchedProperties.map(\.name))
      current = entity.parentEntity.flatMap { entities[$0] }
    }
    return names
  }

  func check(_ attribute: ModelDocument.Attribute, in place: String) throws(ModelFileError) {
    do {
      _ = try attribute.defaultValue()
      _ = try attribute.minimum()
      _ = try attribute.maximum()
    } catch {
      var located = error
      located.file = file
      located.element = "\(place), attribute \(attribute.name)"
      throw located
    }
    let element = "\(place), attribute \(attribute.name)"
    if attribute.type == nil, !attribute.isTransient {
      throw error(
        attribute.line,
        element,
        "attributeType",
        "the attribute has no type; choose one, or make the attribute transient"
      )
    }
    if attribute.type == .composite {
      guard let name = attribute.composite, composites[name] != nil else {
        throw error(
          attribute.line,
          element,
          "composite",
          "there is no composite \(attribute.composite ?? "(no name given)") in the model"
        )
      }
    }
    if attribute.isDerived, attribute.derivationExpression == nil {
      throw error(
        attribute.line,
        element,
        "derivationExpression",
        "a derived attribute needs an expression"
      )
    }
  }

  private func check(
    _ relationship: ModelDocument.Relationship,
    of entity: ModelDocument.Entity
  ) throws(ModelFileError) {
    let element = "entity \(entity.name), relationship \(relationship.name)"
    guard let destinationName = relationship.destinationEntity else {
      throw error(
        relationship.line,
        element,
        "destinationEntity",
        "the relationship leads nowhere; choose an entity as its destination"
      )
    }
    guard let destination = entities[destinationName] else {
      throw error(
        relationship.line,
        element,
        "destinationEntity",
        "there is no entity \(destinationName) in the model"
      )
    }
    guard let inverseName = relationship.inverseName else { return }
    guard let inverse = self.relationship(inverseName, of: destination) else {
      throw error(
        relationship.line,
        element,
        "inverseName",
        "entity \(destinationName) has no relationship \(inverseName)"
      )
    }
    if let back = inverse.inverseName, back != relationship.name {
      throw error(
        relationship.line,
        element,
        "inverseName",
        """
        the inverse of \(destinationName).\(inverseName) is \(back) and not \(relationship.name); \
        make the two relationships each other's inverse
        """
      )
    }
  }

  /// A relationship that an entity has or inherits; ancestors have been checked for cycles.
  private func relationship(
    _ name: String,
    of entity: ModelDocument.Entity
  ) -> ModelDocument.Relationship? {
    var current: ModelDocument.Entity? = entity
    while let entity = current {
      if let found = entity.relationships.first(where: { $0.name == name }) { return found }
      current = entity.parentEntity.flatMap { entities[$0] }
    }
    return nil
  }

  private func checkIndexes(of entity: ModelDocument.Entity) throws(ModelFileError) {
    let names = propertyNames(of: entity)
    for constraint in entity.uniquenessConstraints ?? [] {
      for property in constraint.properties where !names.contains(property.value) {
        throw error(
          property.line,
          "entity \(entity.name), uniquenessConstraint",
          "value",
          "the entity has no property \(property.value)"
        )
      }
    }
  }

  func checkConfigurations() throws(ModelFileError) {
    for configuration in document.configurations {
      for member in configuration.members where entities[member.name] == nil {
        throw error(
          member.line,
          "configuration \(configuration.name), memberEntity",
          "name",
          "there is no entity \(member.name) in the model"
        )
      }
    }
  }

  func check(
    _ request: ModelDocument.FetchRequest,
    in place: String
  ) throws(ModelFileError) {
    guard let name = request.entity, entities[name] != nil else {
      throw error(
        request.line,
        place,
        "entity",
        "there is no entity \(request.entity ?? "(no name given)") in the model to fetch"
      )
    }
  }
}
