extension ModelDocument {
  /// Checks that the document makes sense as a whole, so that a model can be made of it: names are
  /// unique and what they refer to exists, values are of their types.
  ///
  /// - Parameter file: how the error names the file.
  /// - Throws: `ModelFileError` for the first thing that is wrong, with its line and the remedy.
  public func check(file: String? = nil) throws(ModelFileError) {
    var check = DocumentCheck(document: self, file: file)
    try check.run()
  }
}

/// The checks, each a step.
private struct DocumentCheck {
  let document: ModelDocument
  let file: String?
  var entities: [String: ModelDocument.Entity] = [:]
  var composites: [String: ModelDocument.Composite] = [:]

  init(document: ModelDocument, file: String?) {
    self.document = document
    self.file = file
  }

  mutating func run() throws(ModelFileError) {
    try collectNames()
    for entity in document.entities {
      try checkAncestors(of: entity)
    }
    for composite in document.composites {
      try checkComposite(composite)
    }
    for entity in document.entities {
      try check(entity)
    }
    try checkConfigurations()
    for request in document.fetchRequests {
      try check(request, in: "fetchRequest \(request.name)")
    }
  }

  private func error(
    _ line: SourceLine,
    _ element: String,
    _ attribute: String? = nil,
    _ problem: String
  ) -> ModelFileError {
    ModelFileError(
      .corrupt,
      file: file,
      line: line.number,
      element: element,
      attribute: attribute,
      problem: problem
    )
  }

  private mutating func collectNames() throws(ModelFileError) {
    for entity in document.entities {
      if entities.updateValue(entity, forKey: entity.name) != nil {
        throw error(
          entity.line,
          "entity \(entity.name)",
          "name",
          "there is another entity of this name; give each a name of its own"
        )
      }
    }
    for composite in document.composites {
      if composites.updateValue(composite, forKey: composite.name) != nil {
        throw error(
          composite.line,
          "composite \(composite.name)",
          "name",
          "there is another composite of this name; give each a name of its own"
        )
      }
    }
  }

  private func checkAncestors(of entity: ModelDocument.Entity) throws(ModelFileError) {
    var seen: Set<String> = [entity.name]
    var current = entity
    while let parentName = current.parentEntity {
      guard let parent = entities[parentName] else {
        throw error(
          current.line,
          "entity \(current.name)",
          "parentEntity",
          "there is no entity \(parentName) in the model"
        )
      }
      if !seen.insert(parentName).inserted {
        throw error(
          entity.line,
          "entity \(entity.name)",
          "parentEntity",
          "the entity inherits from itself by way of \(current.name)"
        )
      }
      current = parent
    }
  }

  private func checkComposite(_ composite: ModelDocument.Composite) throws(ModelFileError) {
    let place = "composite \(composite.name)"
    var names: Set<String> = []
    for attribute in composite.attributes {
      if !names.insert(attribute.name).inserted {
        throw error(
          attribute.line,
          "\(place), attribute \(attribute.name)",
          "name",
          "the composite has another attribute of this name"
        )
      }
      try check(attribute, in: place)
    }
    if reaches(composite.name, from: composite, visited: []) {
      throw error(composite.line, place, nil, "the composite contains itself")
    }
  }

  /// Whether a composite contains the one of a name, at any depth.
  private func reaches(
    _ name: String,
    from composite: ModelDocument.Composite,
    visited: Set<String>
  ) -> Bool {
    for attribute in composite.attributes {
      guard attribute.type == .composite, let next = attribute.composite, !visited.contains(next) else {
        continue
      }
      if next == name { return true }
      if let inner = composites[next], reaches(name, from: inner, visited: visited.union([next])) {
        return true
      }
    }
    return false
  }

  private func check(_ entity: ModelDocument.Entity) throws(ModelFileError) {
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

  private func check(_ attribute: ModelDocument.Attribute, in place: String) throws(ModelFileError) {
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

  private func checkConfigurations() throws(ModelFileError) {
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

  private func check(
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
