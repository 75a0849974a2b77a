import Foundation

/// Perennial's own: what is saved of one object, as
/// ``NSManagedObjectContext/forEachSavedValues(of:attributes:_:)`` gives it.
public struct SavedValues {
  /// The object's own entity.
  public let entity: NSEntityDescription
  /// The number in the object's ID: ``NSManagedObjectID/primaryKey``.
  public let primaryKey: Int64
  /// The values of the attributes, in the order in which they were asked for, as `value(forKey:)`
  /// gives them.
  public let values: [Any?]
}

/// The places in rows of the attributes that are asked for.
struct SavedColumns {
  private let names: [String]
  /// The slots of the attributes in the rows of the entity that was met last.
  private var found: (layout: EntityLayout, slots: [Int])?

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

  /// - Throws: the error for which one of the values could not be read.
  mutating func values(of row: Row, key: Int64, _ layout: EntityLayout) throws -> SavedValues {
    if found?.layout !== layout { found = (layout, layout.slots(of: names)) }
    if row.slab.hasFailures { try row.requireReadable(found?.slots) }
    let values = (found?.slots ?? []).map { slot in
      AttributeValue.value(
        row.value(slot),
        as: layout.slots[slot].attribute?.attributeType ?? .undefinedAttributeType
      )
    }
    return SavedValues(entity: layout.entity, primaryKey: key, values: values)
  }
}

extension EntityLayout {
  /// The slots that rows of the entity have for the attributes and to-one relationships of these
  /// names.
  func slots(of names: [String]) -> [Int] {
    names.compactMap { name in
      if case .slot(let slot)? = places[name] { slot } else { nil }
    }
  }
}
