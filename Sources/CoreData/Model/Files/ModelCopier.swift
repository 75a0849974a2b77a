import Foundation

/// Copies a whole model, so that the copies refer to each other and to nothing of the original.
struct ModelCopier {
  let copy = NSManagedObjectModel()

  private var entities: [ObjectIdentifier: NSEntityDescription] = [:]
  private var properties: [ObjectIdentifier: NSPropertyDescription] = [:]

  init(of model: NSManagedObjectModel) {
    let originals = NSManagedObjectModel.withDescendants(model.ownEntities)
    for original in originals {
      copyEntity(original)
    }
    for original in originals {
      connect(original)
    }
    copy.entities = originals.compactMap { entities[ObjectIdentifier($0)] }
    copy.configurationMembers = model.configurationMembers
    copy.templates = model.templates.compactMapValues { $0.copy() as? NSFetchRequest<NSFetchRequestResult> }
    copy.versionIdentifiers = model.versionIdentifiers
    copy.localizationDictionary = model.localizationDictionary
  }

  private mutating func copyEntity(_ original: NSEntityDescription) {
    let entity = NSEntityDescription()
    original.copyState(to: entity)
    var copies: [NSPropertyDescription] = []
    for property in original.ownProperties {
      guard let copy = property.copy() as? NSPropertyDescription else { continue }
      properties[ObjectIdentifier(property)] = copy
      copies.append(copy)
    }
    entity.properties = copies
    entity.indexes = original.indexes.compactMap { $0.copy() as? NSFetchIndexDescription }
    entities[ObjectIdentifier(original)] = entity
  }

  private func connect(_ original: NSEntityDescription) {
    guard let entity = entities[ObjectIdentifier(original)] else { return }
    entity.subentities = original.children.compactMap { entities[ObjectIdentifier($0)] }
    for case let relationship as NSRelationshipDescription in entity.ownProperties {
      relationship.destination = relationship.destination.map { entities[ObjectIdentifier($0)] ?? $0 }
      relationship.inverse =
        relationship.inverse.flatMap { properties[ObjectIdentifier($0)] as? NSRelationshipDescription }
        ?? relationship.inverse
    }
  }
}
