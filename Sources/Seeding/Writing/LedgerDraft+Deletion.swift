import CoreData

extension LedgerDraft {
  /// The conflict between a user's change to an object and the deletion of the object because the seeds do not contain
  /// it any more. Nil if changes are not merged, or if the user has not changed the object.
  ///
  /// A user has changed a property if its value differs from the values of seeds or, if no seed has set it, from the
  /// value of a new object. Called before the run writes relationships, on the queue of the object's context.
  func conflict(deleting object: NSManagedObject, naturalKeys: NaturalKeys) -> SeedReport.Conflict? {
    guard seeder.mode == .merge, let key = naturalKeys.values(of: object),
      let property = edit(of: object, digest: SeedDigest.of(key), naturalKeys: naturalKeys)
    else { return nil }
    return SeedReport.Conflict(
      position: SeedPosition(file: file(bringing: SeedDigest.of(key), of: object.entity.name ?? "")),
      entity: object.entity.name ?? "",
      name: key.words,
      key: property.name,
      present: ValueWords.of(object.value(forKey: property.name), naturalKeys.words),
      new: ValueWords.of(nil) { _ in nil },
      isSeedTaken: seeder.conflictPolicy == .takeSeed,
      isDeletion: true
    )
  }

  /// A property of an object that a user has changed, the first by name.
  private func edit(of object: NSManagedObject, digest: UInt64, naturalKeys: NaturalKeys)
    -> NSPropertyDescription?
  {
    let bases = known.compactMap { $0.values[object.entity.name ?? ""] }
    func said(_ property: NSPropertyDescription) -> [UInt64] {
      bases.compactMap { $0.digest(of: property.name, ofObject: digest) }
    }
    for (name, property) in object.entity.propertiesByName.sorted(by: { $0.key < $1.key }) {
      switch property {
      case let attribute as NSAttributeDescription where SeedContents.isCompared(attribute):
        let present = object.value(forKey: name)
        guard let value = PlannedValue.present(present, of: attribute).flatMap(SeedDigest.of) else { continue }
        let values = said(attribute)
        if values.isEmpty ? !attribute.isDefault(present) : !values.contains(value) { return attribute }
      case let relationship as NSRelationshipDescription:
        let values = said(relationship)
        guard !values.isEmpty, let destination = relationship.destinationEntity else { continue }
        let members = ObjectWriting.members(relationship, of: object)
        let value = SeedContents().present(members, relationship: relationship, key: naturalKeys.key(of: destination))
        if !values.contains(value) { return relationship }
      default: continue
      }
    }
    return nil
  }
}
