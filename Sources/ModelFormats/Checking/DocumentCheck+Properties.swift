import Foundation

extension DocumentCheck {
  mutating func check(_ entity: ModelDocument.Entity) throws(ModelFileError) {
    let place = "entity \(entity.name)"
    try checkPropertyNames(of: entity)
    for attribute in entity.attributes { try check(attribute, in: place) }
    for relationship in entity.relationships { try check(relationship, of: entity) }
    for property in entity.fetchedProperties {
      guard let request = property.fetchRequest else {
        throw error(
          property.line,
          element: "\(place), fetchedProperty \(property.name)",
          attribute: nil,
          problem: "the fetched property has no <fetchRequest>"
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
        element: "entity \(entity.name), \(kind) \(name)",
        attribute: "name",
        problem: "the entity has another property of this name, or inherits one; give each a name of its own"
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
    let element = "\(place), attribute \(attribute.name)"
    do {
      _ = try attribute.minimum()
      _ = try attribute.maximum()
    } catch {
      var located = error
      located.file = file
      located.element = element
      throw located
    }
    func failure(_ key: String, problem: String) -> ModelFileError {
      error(attribute.line, element: element, attribute: key, problem: problem)
    }
    if attribute.type == .string, let pattern = attribute.regularExpressionString,
      (try? NSRegularExpression(pattern: pattern)) == nil
    {
      throw failure("regularExpressionString", problem: "\"\(pattern)\" is not a regular expression")
    }
    if attribute.type == nil, !attribute.isTransient {
      throw failure("attributeType", problem: "the attribute has no type; choose one, or make the attribute transient")
    }
    if attribute.type == .composite {
      guard let name = attribute.composite, composites[name] != nil else {
        throw failure(
          "composite",
          problem: "there is no composite \(attribute.composite ?? "(no name given)") in the model"
        )
      }
    }
    if attribute.isDerived, attribute.derivationExpression == nil {
      throw failure(
        "derivationExpression",
        problem: "a derived attribute needs an expression, such as now() or canonical:(name)"
      )
    }
  }

  private mutating func check(
    _ relationship: ModelDocument.Relationship,
    of entity: ModelDocument.Entity
  ) throws(ModelFileError) {
    let element = "entity \(entity.name), relationship \(relationship.name)"
    guard let destination = relationship.destinationEntity.flatMap({ entities[$0] }) else {
      throw error(
        relationship.line,
        element: element,
        attribute: "destinationEntity",
        problem: relationship.destinationEntity.map { noEntity($0) }
          ?? "the relationship leads nowhere; choose an entity as its destination"
      )
    }
    try checkInverse(of: relationship, in: entity, destination: destination, element: element)
  }

  /// Two relationships have to be inverses of each other. A relationship without a named inverse
  /// gets the one that names it.
  private mutating func checkInverse(
    of relationship: ModelDocument.Relationship,
    in entity: ModelDocument.Entity,
    destination: ModelDocument.Entity,
    element: String
  ) throws(ModelFileError) {
    guard let inverseName = relationship.inverseName else { return }
    func failure(_ problem: String) -> ModelFileError {
      error(relationship.line, element: element, attribute: "inverseName", problem: problem)
    }
    guard let (owner, inverse) = self.relationship(inverseName, of: destination) else {
      throw failure(noInverse(inverseName, in: destination, of: entity))
    }
    let inversePath = "\(owner).\(inverseName)"
    if let back = inverse.inverseName, back != relationship.name {
      throw failure(
        """
        the inverse of \(inversePath) is \(back) and not \(relationship.name); \
        make the two relationships each other's inverse
        """
      )
    }
    let path = "\(entity.name).\(relationship.name)"
    if let other = inverseClaims.updateValue(path, forKey: inversePath), other != path {
      throw failure(
        """
        \(inversePath) is the inverse of \(other) already; \
        make the two relationships each other's inverse
        """
      )
    }
    if let target = inverse.destinationEntity, !isKind(target, of: entity.name),
      !isKind(entity.name, of: target)
    {
      throw failure(
        """
        \(inversePath) leads to \(target) and not back to \(entity.name); \
        name a relationship that does, or make \(entity.name) the destination of that one
        """
      )
    }
  }

  /// Returns true when an entity is another or inherits from it; ancestors have been checked for cycles.
  private func isKind(_ name: String, of ancestor: String) -> Bool {
    var current = entities[name]
    while let entity = current {
      if entity.name == ancestor { return true }
      current = entity.parentEntity.flatMap { entities[$0] }
    }
    return false
  }

  /// A relationship that an entity has or inherits, and the name of the entity that declares it;
  /// ancestors have been checked for cycles.
  private func relationship(
    _ name: String,
    of entity: ModelDocument.Entity
  ) -> (owner: String, relationship: ModelDocument.Relationship)? {
    var current: ModelDocument.Entity? = entity
    while let entity = current {
      if let found = entity.relationships.first(where: { $0.name == name }) { return (entity.name, found) }
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
          element: "entity \(entity.name), uniquenessConstraint",
          attribute: "value",
          problem: "the entity has no property \(property.value)"
        )
      }
    }
  }

  func checkConfigurations() throws(ModelFileError) {
    for configuration in document.configurations {
      for member in configuration.members where entities[member.name] == nil {
        throw error(
          member.line,
          element: "configuration \(configuration.name), memberEntity",
          attribute: "name",
          problem: noEntity(member.name)
        )
      }
    }
  }

  func check(_ request: ModelDocument.FetchRequest, in place: String) throws(ModelFileError) {
    guard let name = request.entity, entities[name] != nil else {
      throw error(
        request.line,
        element: place,
        attribute: "entity",
        problem: "there is no entity \(request.entity ?? "(no name given)") in the model to fetch"
      )
    }
  }
}
