import Foundation

/// Makes the rows of an atomic store's nodes.
struct AtomicNodes {
  let store: Int32

  /// - Throws: an error that names the object and the attribute whose value does not have the attribute's type.
  func contents(of nodes: [NSAtomicStoreCacheNode]) throws -> InMemoryContents {
    var contents = InMemoryContents()
    for node in nodes {
      let layout = node.objectID.layout
      contents.set(try row(node, layout: layout), key: node.objectID.reference.key, root: layout.rootNumber)
      for toMany in layout.toMany where !toMany.relationship.isTransient {
        contents.setDestinations(
          ObjectIDs.references(in: node.value(forKey: toMany.name)),
          of: toMany.relationship,
          from: node.objectID.reference.key
        )
      }
    }
    return contents
  }

  private func row(_ node: NSAtomicStoreCacheNode, layout: EntityLayout) throws -> Row {
    let row = Row(layout: layout)
    row.version = 1
    row.setTransientDefaults()
    for slot in layout.persistentSlots {
      row.set(
        try layout.storedValue(node.value(forKey: layout.slots[slot].name), slot: slot, of: node.objectID),
        slot: slot
      )
    }
    return row
  }
}

/// The objects that a value of a relationship names, in whatever form.
enum ObjectIDs {
  static func references(in value: Any?) -> [ObjectReference] {
    switch value {
    case let id as NSManagedObjectID: [id.reference]
    case let node as NSAtomicStoreCacheNode: [node.objectID.reference]
    case let object as NSManagedObject: [object.objectID.reference]
    case let set as NSOrderedSet: set.array.flatMap { references(in: $0) }
    case let set as NSSet: set.allObjects.flatMap { references(in: $0) }
    case let array as NSArray: array.flatMap { references(in: $0) }
    case let set as Set<AnyHashable>: set.flatMap { references(in: $0.base) }
    case let array as [Any]: array.flatMap { references(in: $0) }
    default: []
    }
  }
}

extension EntityLayout {
  /// A store's value for a slot, as rows keep it.
  func storedValue(_ value: Any?, slot: Int, of objectID: NSManagedObjectID) throws -> StoredValue {
    guard let attribute = slots[slot].attribute else {
      return ObjectIDs.references(in: value).first.map(StoredValue.reference) ?? .null
    }
    if let stored = AttributeValue.stored(value, as: attribute.attributeType) { return stored }
    throw StoreFailure.corruptFile(
      """
      \(objectID.uriRepresentation().absoluteString): \(DescriptionNode.words(value)) is not a value of \
      \(attribute.modelPath); give one of the attribute's type.
      """
    )
  }
}
