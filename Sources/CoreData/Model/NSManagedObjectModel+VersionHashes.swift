public import Foundation
import ModelFormats
import Synchronization

extension NSManagedObjectModel {
  /// The version hash of each entity, 32 bytes, by name.
  ///
  /// A store keeps them in its metadata under `NSStoreModelVersionHashesKey`; a store whose hashes
  /// differ was made with another model.
  public final var entityVersionHashesByName: [String: Data] { versionHashes.entityHashes }

  /// The version hash of each entity that some metadata of a store name, or `nil` when they name none.
  static func entityVersionHashes(inStoreMetadata metadata: [String: Any]) -> [String: Data]? {
    metadata["NSStoreModelVersionHashes"] as? [String: Data]
  }

  /// All version hashes together, in Base64; stores and compiled models keep it.
  ///
  /// ```swift
  /// if model.versionChecksum != oldModel.versionChecksum {
  ///   print("a store of the old version has to be migrated")
  /// }
  /// ```
  public final var versionChecksum: String { versionHashes.versionChecksum }

  /// All entity names and version hashes together, in Base64, as stores keep them under
  /// `NSStoreModelVersionHashesDigest`.
  final var versionHashesDigest: String { versionHashes.hashesDigest }

  /// The hashes; computed once for a model in use, and each time for one that can still change.
  final var versionHashes: ModelVersionHashes {
    guard isFrozen else { return computeVersionHashes() }
    return frozenVersionHashes.withLock { hashes in
      if let hashes { return hashes }
      let computed = computeVersionHashes()
      hashes = computed
      return computed
    }
  }

  private func computeVersionHashes() -> ModelVersionHashes { ModelVersionHashes(document: ModelDocument(self)) }
}

extension NSEntityDescription {
  /// The version hash: 32 bytes that are the same for entities whose objects a store keeps in the
  /// same way, even if the rest of their models differs.
  ///
  /// Name, superentity, persistent properties, uniqueness constraints and `versionHashModifier` go
  /// into it; defaults, validation, delete rules, classes and indexes do not.
  public final var versionHash: Data {
    if let model, model.isFrozen { return model.entityVersionHashesByName[name ?? ""] ?? Data() }
    var document = ModelDocument()
    var composites = CompositeCollection()
    var current: NSEntityDescription? = self
    while let entity = current {
      document.entities.append(composites.entity(entity))
      current = entity.parent
    }
    document.composites = composites.sorted
    let hashes = ModelVersionHashes(document: document)
    return hashes.entityHashes[name ?? ""] ?? Data()
  }
}

extension NSPropertyDescription {
  /// The version hash: 32 bytes that are the same for properties that a store keeps in the same way.
  public final var versionHash: Data {
    switch self {
    case let attribute as NSAttributeDescription: attributeVersionHash(attribute)
    case let relationship as NSRelationshipDescription:
      ModelVersionHashes.hash(of: ModelDocument.Relationship(relationship))
    default: ModelVersionHashes.hash(of: fetchedPropertyDocument)
    }
  }

  private func attributeVersionHash(_ attribute: NSAttributeDescription) -> Data {
    var composites = CompositeCollection()
    let document = composites.attribute(attribute)
    return ModelVersionHashes.hash(of: document, composites: composites.sorted)
  }

  /// The part of a property that is hashed where no store keeps the property.
  private var fetchedPropertyDocument: ModelDocument.FetchedProperty {
    var property = ModelDocument.FetchedProperty(
      name: name,
      fetchRequest: ModelDocument.FetchRequest(name: "", entity: "")
    )
    property.isOptional = isOptional
    property.versionHashModifier = versionHashModifier
    return property
  }
}

/// The composites of the entities' attributes, as a document declares them: each once, by name.
struct CompositeCollection {
  private var composites: [String: ModelDocument.Composite] = [:]

  /// The composites in the order of their names.
  var sorted: [ModelDocument.Composite] { composites.sorted { $0.key < $1.key }.map(\.value) }

  /// The document of an entity, with its composites added to the collection.
  mutating func entity(_ entity: NSEntityDescription) -> ModelDocument.Entity {
    var document = ModelDocument.Entity(entity)
    let attributes = entity.ownProperties.compactMap { $0 as? NSAttributeDescription }
    document.attributes = attributes.map { attribute($0) }
    return document
  }

  /// The document of an attribute. The attribute's composite is added to the collection.
  mutating func attribute(_ attribute: NSAttributeDescription) -> ModelDocument.Attribute {
    var document = ModelDocument.Attribute(attribute)
    if let composite = attribute as? NSCompositeAttributeDescription {
      document.composite = name(of: composite)
    }
    return document
  }

  /// The name under which a composite is declared: its original name, or its attribute's, with a
  /// number if a composite of other elements has that name.
  private mutating func name(of composite: NSCompositeAttributeDescription) -> String {
    let elements = composite.elements.map { attribute($0) }
    let wanted = composite.compositeName ?? composite.name
    var name = wanted
    var number = 1
    while let known = composites[name], known.attributes != elements {
      number += 1
      name = "\(wanted)\(number)"
    }
    composites[name] = ModelDocument.Composite(name: name, attributes: elements)
    return name
  }
}

extension NSManagedObjectModel {
  /// The entities whose version in a store differs from this model's, as text.
  ///
  /// - Parameters:
  ///   - metadata: the metadata of the store, with the version hashes of its entities.
  ///   - entities: the entities that the store should have.
  /// - Returns: nothing when the store has these entities in this version.
  final func versionDifferences(
    fromStoreMetadata metadata: [String: Any],
    entities: [NSEntityDescription]
  ) -> [String] {
    guard let stored = Self.entityVersionHashes(inStoreMetadata: metadata) else {
      return ["the store has no version hashes"]
    }
    let own = entityVersionHashesByName
    let names = Set(entities.compactMap(\.name))
    let changed = names.filter { stored[$0] != nil && stored[$0] != own[$0] }.sorted()
    let missing = names.filter { stored[$0] == nil }.sorted()
    let additional = stored.keys.filter { !names.contains($0) }.sorted()
    return [("changed", changed), ("not in the store", missing), ("not in the model", additional)]
      .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
  }
}
