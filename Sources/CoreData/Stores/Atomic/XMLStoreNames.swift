/// The names that a store in XML has for a model: entities in upper case, properties in lower case.
struct XMLStoreNames {
  struct Entity {
    let description: NSEntityDescription
    let attributes: [String: NSAttributeDescription]
    let relationships: [String: NSRelationshipDescription]
  }

  let entities: [String: Entity]

  /// - Throws: an error for a model with names that differ in nothing but the case of their
  ///   letters.
  init(_ model: NSManagedObjectModel) throws {
    var entities: [String: Entity] = [:]
    for description in model.entities {
      let name = description.name ?? ""
      let entity = Entity(
        description: description,
        attributes: try Self.lowercased(description.attributesByName, in: name),
        relationships: try Self.lowercased(description.relationshipsByName, in: name)
      )
      if let other = entities.updateValue(entity, forKey: name.uppercased()) {
        throw Self.ambiguous(other.description.name ?? "", name)
      }
    }
    self.entities = entities
  }

  private static func lowercased<Property>(
    _ properties: [String: Property],
    in entity: String
  ) throws -> [String: Property] {
    var names: [String: (name: String, property: Property)] = [:]
    for (name, property) in properties {
      if let other = names.updateValue((name, property), forKey: name.lowercased()) {
        throw ambiguous("\(entity).\(other.name)", "\(entity).\(name)")
      }
    }
    return names.mapValues(\.property)
  }

  private static func ambiguous(_ one: String, _ other: String) -> any Error {
    StoreFailure.error(
      NSPersistentStoreIncompatibleSchemaError,
      """
      \(one) and \(other) differ in nothing but the case of their letters, which stores in XML do not keep; rename one, \
      or use a store of another type.
      """
    )
  }
}
