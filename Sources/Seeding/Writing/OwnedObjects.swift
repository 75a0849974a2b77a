import CoreData

/// The objects that records have dropped from the lists of their owners. They are deleted at the
/// end of a run, unless another owner has taken them.
///
/// A relationship with the delete rule Cascade owns its destinations. If its list, or a list under
/// `$replace`, does not contain an object any more, the object would be an orphan.
struct OwnedObjects {
  private struct Orphan {
    /// The relationship to the owner.
    let inverse: String
    /// The digest of its natural key, which it may lose with its owner.
    let digest: UInt64?
  }

  private static let batchSize = 2000

  private var orphans: [NSManagedObjectID: Orphan] = [:]

  /// Notes objects before they are removed from a relationship.
  mutating func leaveOut(
    _ members: some Sequence<NSManagedObject>,
    of reference: PlannedRecord.Reference,
    naturalKeys: NaturalKeys
  ) {
    guard reference.owns, let inverse = reference.relationship.inverseRelationship?.name else { return }
    for member in members where orphans[member.objectID] == nil {
      let digest = naturalKeys.values(of: member).map(SeedDigest.of)
      orphans[member.objectID] = Orphan(inverse: inverse, digest: digest)
    }
  }

  /// Deletes the objects that do not have an owner and that no record of the run describes. Called
  /// on the context's queue.
  mutating func delete(
    by deletion: inout SeedDeletion,
    in context: NSManagedObjectContext,
    unless isOfRun: (NSManagedObject) throws -> Bool
  ) throws {
    for (number, (id, orphan)) in orphans.enumerated() {
      guard let object = try? context.existingObject(with: id), !object.isDeleted,
        object.value(forKey: orphan.inverse) == nil
      else { continue }
      if try isOfRun(object) { continue }
      deletion.delete(object, digest: orphan.digest)
      if number % Self.batchSize == Self.batchSize - 1 { try deletion.saveBatch() }
    }
    try deletion.saveBatch()
    orphans = [:]
  }
}

extension PlannedRecord.Reference {
  /// True if it sets the whole relationship, and if objects that it does not name are deleted.
  var owns: Bool { removals == nil && (replaces || relationship.ownsDestinations) }
}

extension NSRelationshipDescription {
  /// True if, by the delete rule, the relationship's object is the only owner of its destinations. A destination is not
  /// owned if several objects may link to it, or if deleting it deletes its owner.
  fileprivate var ownsDestinations: Bool {
    guard deleteRule == .cascadeDeleteRule, let inverse = inverseRelationship else { return false }
    return !inverse.isToMany && inverse.deleteRule != .cascadeDeleteRule
  }
}
