import Foundation

/// Reads a compiled model, a `.mom`: a keyed archive of an `NSManagedObjectModel`.
struct CompiledModelReader {
  private let archive: KeyedArchive
  private let expressions: ArchivedExpression

  /// - Throws: `ModelFileError` if the data is not a keyed archive.
  init(_ data: Data, file: String?) throws(ModelFileError) {
    archive = try KeyedArchive(data, file: file)
    expressions = ArchivedExpression(archive: archive)
  }

  /// The model as a document, entities and properties by name.
  ///
  /// - Throws: `ModelFileError` if an object in the archive is not what a model has there.
  func document() throws(ModelFileError) -> ModelDocument {
    let model = try archive.rootInstance()
    guard model.className == "NSManagedObjectModel" else {
      throw archive.error(model.className, problem: "the archive holds this class and no NSManagedObjectModel")
    }
    var document = ModelDocument()
    document.type = ModelDocument.xcodeType
    document.documentVersion = "1.0"
    document.versionIdentifier = try versionIdentifier(model)
    let entities = try namedInstances(model, key: "NSEntities")
    for (_, entity) in entities {
      document.entities.append(try readEntity(entity, composites: &document.composites))
    }
    document.composites.sort { $0.name < $1.name }
    removeInherited(&document.entities)
    for (name, request) in try namedInstances(model, key: "NSFetchRequestTemplates") {
      document.fetchRequests.append(try readFetchRequest(request, name: name))
    }
    for (name, members) in try namedInstances(model, key: "NSConfigurations") {
      document.configurations.append(
        ModelDocument.Configuration(name: name, entities: try entityNames(members).sorted())
      )
    }
    for uid in try model.instance(ArchivedDetails.cloudConfigurationsKey)?.elements() ?? [] {
      let name = try archive.text(uid)
      for index in document.configurations.indices where document.configurations[index].name == name {
        document.configurations[index].isUsedWithCloudKit = true
      }
    }
    try document.readDetails(model, in: "the model")
    return document
  }

  private func versionIdentifier(_ model: ArchivedInstance) throws(ModelFileError) -> String? {
    var found: [String] = []
    for uid in try model.instance("NSVersionIdentifiers")?.elements() ?? [] {
      if let text = try archive.text(uid) { found.append(text) }
    }
    return found.min()
  }

  /// The instances in a dictionary by name.
  private func namedInstances(
    _ owner: ArchivedInstance,
    key: String
  ) throws(ModelFileError) -> [(name: String, instance: ArchivedInstance)] {
    var found: [(name: String, instance: ArchivedInstance)] = []
    for (name, uid) in try owner.instance(key)?.entries() ?? [] {
      if let instance = try archive.instance(uid) { found.append((name, instance)) }
    }
    return found
  }

  /// The names of the entities in a set, which holds them or their names.
  private func entityNames(_ set: ArchivedInstance) throws(ModelFileError) -> [String] {
    var names: [String] = []
    for uid in try set.elements() {
      if let text = try archive.text(uid) {
        names.append(text)
      } else if let name = try archive.instance(uid)?.string("NSEntityName") {
        names.append(name)
      }
    }
    return names
  }

  private func readEntity(
    _ archived: ArchivedInstance,
    composites: inout [ModelDocument.Composite]
  ) throws(ModelFileError) -> ModelDocument.Entity {
    var entity = ModelDocument.Entity(name: try archived.string("NSEntityName") ?? "")
    if entity.name.isEmpty { throw archive.error("NSEntityDescription", problem: "an entity has no name") }
    let className = try archived.string("NSClassNameForEntity")
    entity.representedClassName = className == "NSManagedObject" ? nil : className
    entity.isAbstract = try archived.boolean("NSIsAbstract")
    entity.parentEntity = try archived.instance("NSSuperentity")?.string("NSEntityName")
    entity.versionHashModifier = try archived.string("NSVersionHashModifier")
    entity.elementID = try Self.renaming(archived, from: entity.name)
    entity.userInfo = try Self.userInfo(archived, archive: archive)
    let reader = CompiledPropertyReader(archive: archive, expressions: expressions)
    for (_, property) in try namedInstances(archived, key: "NSProperties") {
      // Models in a store's cache contain proxies for inherited properties.
      if property.className == "_NSPropertyDescriptionProxy" { continue }
      switch try reader.read(property, of: entity.name, composites: &composites) {
      case .attribute(let attribute): entity.attributes.append(attribute)
      case .relationship(let relationship): entity.relationships.append(relationship)
      case .fetched(var fetched):
        fetched.fetchRequest = try property.instance("NSFetchRequest").map { request throws(ModelFileError) in
          try readFetchRequest(request, name: "fetchedPropertyFetchRequest")
        }
        if fetched.fetchRequest?.entity == nil {
          fetched.fetchRequest?.entity = try property.string("_NSFetchRequestEntityName")
        }
        entity.fetchedProperties.append(fetched)
      }
    }
    entity.fetchIndexes = try readIndexes(archived)
    let constraints = try nameGroups(archived, key: "NSUniqueTuples")
    entity.uniquenessConstraints = constraints.isEmpty ? nil : constraints.map { .init(properties: $0) }
    // The compiler repeats an index in the older style.
    let known = Set(entity.fetchIndexes.map { $0.elements.map { $0.property ?? "" } })
    let compound = try nameGroups(archived, key: "NSCompoundIndexes").filter { !known.contains($0) }
    entity.compoundIndexes = compound.isEmpty ? nil : compound.map { .init(properties: $0) }
    try entity.readDetails(archived, in: "entity \(entity.name)")
    return entity
  }

  /// Removes inherited properties from subentities, where some archives repeat them.
  private func removeInherited(_ entities: inout [ModelDocument.Entity]) {
    let names = Dictionary(
      entities.map { entity in
        let properties =
          entity.attributes.map(\.name) + entity.relationships.map(\.name)
          + entity.fetchedProperties.map(\.name)
        return (entity.name, (parent: entity.parentEntity, properties: Set(properties)))
      },
      uniquingKeysWith: { first, _ in first }
    )
    for index in entities.indices {
      var inherited: Set<String> = []
      var seen: Set<String> = [entities[index].name]
      var parent = entities[index].parentEntity
      while let name = parent, seen.insert(name).inserted, let ancestor = names[name] {
        inherited.formUnion(ancestor.properties)
        parent = ancestor.parent
      }
      if inherited.isEmpty { continue }
      entities[index].attributes.removeAll { inherited.contains($0.name) }
      entities[index].relationships.removeAll { inherited.contains($0.name) }
      entities[index].fetchedProperties.removeAll { inherited.contains($0.name) }
    }
  }

  private func readIndexes(_ entity: ArchivedInstance) throws(ModelFileError) -> [ModelDocument.FetchIndex] {
    var indexes: [ModelDocument.FetchIndex] = []
    for uid in try entity.instance("NSFetchIndexDescriptions")?.elements() ?? [] {
      guard let archived = try archive.instance(uid) else { continue }
      var index = ModelDocument.FetchIndex(name: try archived.string("NSIndexName") ?? "", elements: [])
      if let predicate = try archived.instance("NSPartialIndexPredicate") {
        index.partialIndexPredicate = try expressions.text(ofPredicate: predicate)
      }
      for uid in try archived.instance("NSIndexElements")?.elements() ?? [] {
        guard let element = try archive.instance(uid) else { continue }
        var part = ModelDocument.FetchIndexElement(
          property: "",
          kind: try element.integer("NSFetchIndexElementType") == 1 ? .rTree : .binary,
          order: try element.boolean("NSAscending") ? .ascending : .descending
        )
        part.property = try element.string("NSPropertyName")
        try part.readDetails(element, in: "index \(index.name)")
        index.elements.append(part)
      }
      try index.readDetails(archived, in: "index \(index.name)")
      if let text = index.unknown.attributes.removeValue(forKey: CompiledModelWriter.partialIndexDetail) {
        index.partialIndexPredicate = text
      }
      indexes.append(index)
    }
    return indexes
  }

  /// Arrays of property names, or of properties, in an array.
  private func nameGroups(_ owner: ArchivedInstance, key: String) throws(ModelFileError) -> [[String]] {
    var groups: [[String]] = []
    for uid in try owner.instance(key)?.elements() ?? [] {
      var names: [String] = []
      for uid in try archive.instance(uid)?.elements() ?? [] {
        if let text = try archive.text(uid) {
          names.append(text)
        } else if let name = try archive.instance(uid)?.string("NSPropertyName") {
          names.append(name)
        }
      }
      if !names.isEmpty { groups.append(names) }
    }
    return groups
  }

  private func readFetchRequest(
    _ archived: ArchivedInstance,
    name: String
  ) throws(ModelFileError) -> ModelDocument.FetchRequest {
    var request = ModelDocument.FetchRequest(name: name, entity: "")
    request.entity = try archived.instance("NSEntity")?.string("NSEntityName")
    if let predicate = try archived.instance("NSPredicate") {
      request.predicateString = try expressions.text(ofPredicate: predicate)
    }
    request.fetchLimit = try Self.count(archived, key: "NSFetchLimit")
    request.fetchBatchSize = try Self.count(archived, key: "NSBatchSize")
    request.resultType = try Self.count(archived, key: "NSResultType")
    try request.readDetails(archived, in: "fetch request \(name)")
    return request
  }

  private static func count(_ archived: ArchivedInstance, key: String) throws(ModelFileError) -> Int? {
    let number = try archived.integer(key).map(Int.init(clamping:))
    return number == 0 ? nil : number
  }

  /// The renaming identifier, which archives also have where it is just the name.
  static func renaming(_ archived: ArchivedInstance, from name: String) throws(ModelFileError) -> String? {
    let identifier = try archived.string("NSRenamingIdentifier")
    return identifier == name ? nil : identifier
  }

  /// The texts in a user info; a model file cannot hold other objects.
  static func userInfo(
    _ archived: ArchivedInstance,
    archive: KeyedArchive
  ) throws(ModelFileError) -> [ModelDocument.UserInfoEntry]? {
    var entries: [ModelDocument.UserInfoEntry] = []
    for (key, uid) in try archived.instance("NSUserInfo")?.entries() ?? [] {
      if let text = try archive.text(uid) { entries.append(.init(key: key, value: text)) }
    }
    return entries.isEmpty ? nil : entries
  }
}
