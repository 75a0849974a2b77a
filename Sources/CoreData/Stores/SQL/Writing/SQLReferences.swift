/// Replaces temporary references of a save by the permanent ones that rows contain.
package final class SQLReferences {
  private let schema: SQLSchema
  /// The index of the store.
  private let store: Int32
  /// The references of the objects that a save inserts, by their temporary keys; `nil` for what saves no objects.
  package var permanent: [Int64: ObjectReference]?
  /// The temporary key that was asked for last: links of one object follow each other.
  private var lastKey: (temporary: Int64, permanent: Int64) = (0, 0)

  package init(schema: SQLSchema, store: Int32) {
    self.schema = schema
    self.store = store
  }

  /// The key that an object has in the store once it is saved.
  ///
  /// - Throws: an error when the key is temporary, and of no object of the save.
  package func permanentKey(of key: Int64) throws -> Int64 {
    if key >= 0 { return key }
    if key == lastKey.temporary { return lastKey.permanent }
    if let known = permanent?[key] {
      lastKey = (key, known.key)
      return known.key
    }
    throw StoreFailure.error(
      NSManagedObjectReferentialIntegrityError,
      message:
        "A relationship leads to an object that is not saved with it; insert that object into the same context."
    )
  }

  /// The permanent reference for an object that is saved with the row.
  ///
  /// - Throws: an error when the reference leads to an object that is not saved, or to one of another store.
  package func permanentReference(
    for reference: ObjectReference,
    from layout: EntityLayout,
    slot: Int
  ) throws -> ObjectReference {
    if reference.isTemporary, let permanent {
      if let known = permanent[reference.key] { return known }
      throw StoreFailure.error(
        NSManagedObjectReferentialIntegrityError,
        message: """
          \(layout.slots[slot].property.modelPath) leads to an object that is not saved with it; insert that object \
          into the same context.
          """
      )
    }
    if reference.store == store { return reference }
    throw StoreFailure.error(
      NSManagedObjectExternalRelationshipError,
      message: """
        \(layout.slots[slot].property.modelPath) leads to an object of another store; relationships stay inside one \
        store.
        """
    )
  }

  /// The number that the store gives the entity of a reference.
  ///
  /// - Throws: an error when the store does not keep the entity.
  package func entityNumber(of reference: ObjectReference) throws -> Int64 {
    guard let entity = schema.entity(modelNumber: reference.entity) else {
      throw StoreFailure.error(
        NSManagedObjectExternalRelationshipError,
        message: "A relationship leads to an object of an entity that the store does not keep."
      )
    }
    return entity.number
  }

  /// Counts a row that a batch inserted, changed or deleted.
  ///
  /// - Parameter isWanted: true when the outcome is to have the object's reference.
  package func count(_ key: Int64, entityNumber: Int64, isWanted: Bool, in outcome: inout BatchOutcome) {
    outcome.count += 1
    guard isWanted, let entity = schema.entity(storeNumber: entityNumber) else { return }
    outcome.references.append(ObjectReference(key: key, entity: entity.layout.number, store: store))
  }
}
