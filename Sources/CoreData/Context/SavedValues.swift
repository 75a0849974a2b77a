import Foundation

/// Perennial's own: what is saved of one object, as ``NSManagedObjectContext/forEachSavedValues(of:attributes:_:)`` gives it.
public struct SavedValues {
  /// The object's own entity.
  public let entity: NSEntityDescription
  /// The number in the object's ID: ``NSManagedObjectID/primaryKey``.
  public let primaryKey: Int64
  /// The values of the attributes, in the order in which they were asked for, as `value(forKey:)` gives them.
  public let values: [Any?]
}

/// Where rows have the attributes that are asked for.
struct SavedColumns {
  private let names: [String]

  /// - Throws: an error that names the attribute that the entity does not have, or does not keep.
  init(_ names: [String], of entity: NSEntityDescription) throws {
    for name in names {
      guard let attribute = entity.attributesByName[name], !attribute.isTransient else {
        throw CocoaError.coreData(
          NSPersistentStoreOperationError,
          """
          \(name) is no attribute that \(entity.name ?? "") keeps; those are \
          \(entity.attributesByName.filter { !$1.isTransient }.keys.sorted().joined(separator: ", ")).
          """
        )
      }
    }
    self.names = names
  }

  func values(of row: Row, key: Int64, _ layout: EntityLayout) -> SavedValues {
    let values = names.map { name -> Any? in
      guard case .slot(let slot)? = layout.places[name] else { return nil }
      let type = layout.slots[slot].attribute?.attributeType ?? .undefinedAttributeType
      return AttributeValue.value(row.value(slot), as: type)
    }
    return SavedValues(entity: layout.entity, primaryKey: key, values: values)
  }
}
