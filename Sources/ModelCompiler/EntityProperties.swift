import ModelFormats

/// The properties of the entities whose classes are in a module.
struct EntityProperties {
  struct Properties {
    /// The name of the entity; of the first one if several have the class.
    var entity: String
    /// The kinds of Swift types that each property may have; empty where they are unknown.
    var kinds: [String: Set<PropertyKind>] = [:]

    /// The property that a name accesses without notifications: `title` for `primitiveTitle`. It is `nil` for other names.
    func primitiveProperty(of name: String) -> String? {
      AccessorKeys(model: Set(kinds.keys), sources: []).primitiveKey(of: name).flatMap { kinds[$0] == nil ? nil : $0 }
    }
  }

  private var byClass: [String: Properties] = [:]

  init(_ models: ModelSources, module: String) {
    for document in models.models.map(\.document) {
      for entity in document.entities {
        guard let name = EntityClass.className(of: entity, module: module) else { continue }
        var properties = byClass[name] ?? Properties(entity: entity.name)
        properties.add(entity, in: document)
        byClass[name] = properties
      }
    }
  }

  /// The properties of a class, including inherited ones; `nil` for a class that no model names.
  func ofClass(_ name: String) -> Properties? { byClass[name] }
}

extension EntityProperties.Properties {
  fileprivate mutating func add(_ entity: ModelDocument.Entity, in document: ModelDocument) {
    var next: ModelDocument.Entity? = entity
    var known: Set<String> = []
    // The parents of a damaged model may form a cycle.
    while let entity = next, known.insert(entity.name).inserted {
      for attribute in entity.attributes { add(attribute.name, kind: PropertyKind(attribute)) }
      for relationship in entity.relationships {
        add(relationship.name, kind: relationship.isToMany ? .collection : nil)
      }
      for fetched in entity.fetchedProperties { add(fetched.name, kind: nil) }
      next = entity.parentEntity.flatMap(document.entity(named:))
    }
  }

  /// - Parameter kind: `nil` if the property may have any type.
  private mutating func add(_ name: String, kind: PropertyKind?) {
    kinds[name, default: []].formUnion(kind.map { [$0] } ?? PropertyKind.allCases)
  }
}
