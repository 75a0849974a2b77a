import CoreData

extension SeedWriter {
  /// The objects that the seeds have created and do not contain any more, found by natural keys,
  /// which may have changed when the references are written.
  mutating func findAbandonedObjects() throws -> [NSManagedObject] {
    guard seeder.effectivePruning == .own else { return [] }
    // The outcomes of written records have to be recorded first.
    pruned = ledger.abandoned(besides: plan.records.filter { !$0.isUnchangedSeed })
    return try pruned.sorted { $0.key < $1.key }.flatMap { name, digests in
      guard let entity = plan.entities[name], let key = plan.naturalKeys.key(of: entity) else {
        return [NSManagedObject]()
      }
      let objects = try context.fetch(.exactly(entity)).filter { object in
        key.values(of: object).map { digests.contains(SeedDigest.of($0)) } ?? false
      }
      return objects.filter { isDeletable($0) }
    }
  }

  mutating func prune() throws {
    let current = objectsOfRun
    if seeder.effectivePruning == .all {
      try delete { current.contains(ObjectIdentifier($0)) }
    }
    var deletion = newDeletion
    for object in abandoned where !object.isDeleted { context.delete(object) }
    let named = current.union(referred)
    try owned.delete(by: &deletion, in: context) { named.contains(ObjectIdentifier($0)) }
    try finish(&deletion)
    deletion.add(to: &pruned)
    try checkRecordsStay()
  }

  /// Checks that pruning does not delete an object that a record refers to.
  func checkStays(_ object: NSManagedObject, at position: SeedPosition) throws {
    guard !seeder.isComparison else { return }
    let decision = PruneDecision.decide(
      seeder.effectivePruning,
      isOfRun: isOfRun(object),
      isAbandoned: abandonedObjects.contains(ObjectIdentifier(object)),
      isOfSeededEntity: prunedEntities.contains(object.entity.name ?? "")
    )
    guard decision.deletes else { return }
    throw SeedError(
      code: .unknownReference,
      at: position,
      problem: "the \(name(object)) is deleted by this run, because no record of the seeds brings it",
      remedy: "have a seed bring it, or refer to another \(object.entity.name ?? "object")"
    )
  }

  /// Checks that no object of a record is deleted by the delete rules of another deletion.
  private func checkRecordsStay() throws {
    guard seeder.mode != .replace, !seeder.isComparison else { return }
    for (place, record) in plan.records.enumerated()
    where isWritten(place) && objects[place]?.isDeleted == true {
      throw SeedError(
        code: .contradiction,
        at: record.position,
        problem:
          "the object of this record is deleted along with another one that no record of the seeds brings",
        remedy: "have a seed bring the object that it belongs to, or remove the record"
      )
    }
  }

  /// The entities that the seeds have lists of, with records or without.
  var entities: [String: NSEntityDescription] {
    var entities = Dictionary(plan.records.map { ($0.shape.name, $0.shape.entity) }) { first, _ in first }
    for entity in plan.empty { entities[entity.name ?? ""] = entity }
    return entities
  }

  private var newDeletion: SeedDeletion {
    SeedDeletion(context: context, naturalKeys: plan.naturalKeys, savesBatches: false)
  }

  /// Deletes the objects of the seeds' entities that are not kept, including entities with empty lists.
  mutating func delete(unless isSpared: (NSManagedObject) -> Bool = { _ in false }) throws {
    var deletion = newDeletion
    for (_, entity) in entities.sorted(by: { $0.key < $1.key }) {
      try deletion.delete(entity, unless: isSpared)
    }
    try finish(&deletion)
    deletion.add(to: &pruned)
  }

  private mutating func finish(_ deletion: inout SeedDeletion) throws {
    try deletion.count()
    deleted = deletion.counts
  }
}
