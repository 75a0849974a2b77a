import CoreData

extension SeedWriter {
  /// The objects that the seeds have made and do not bring any more, found by natural keys, which
  /// may have changed when the references are written.
  mutating func abandonedObjects() throws -> [NSManagedObject] {
    guard seeder.mode != .replace, seeder.effectivePruning == .own else { return [] }
    // What was written is to be noted first.
    pruned = account.abandoned(besides: plan.records.filter { !$0.isStanding })
    return try pruned.sorted { $0.key < $1.key }.flatMap { name, digests in
      guard let entity = plan.entities[name], let key = plan.naturalKeys.key(of: entity) else {
        return [NSManagedObject]()
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.includesSubentities = false
      return try context.fetch(request).filter { object in
        key.values(of: object).map { digests.contains(SeedDigest.of($0)) } ?? false
      }
    }
  }

  mutating func prune(_ abandoned: [NSManagedObject]) throws {
    if seeder.mode != .replace, seeder.effectivePruning == .all {
      let current = Set(objects.compactMap { $0.map(ObjectIdentifier.init) })
      return try delete { current.contains(ObjectIdentifier($0)) }
    }
    guard !abandoned.isEmpty else { return }
    for object in abandoned { context.delete(object) }
    var deletion = newDeletion
    finish(&deletion)
  }

  private var newDeletion: SeedDeletion { SeedDeletion(context, plan.naturalKeys, savesBatches: false) }

  /// Deletes the objects of the seeds' entities that are not to be kept, of those with empty lists
  /// too.
  mutating func delete(unless isSpared: (NSManagedObject) -> Bool = { _ in false }) throws {
    var entities = Dictionary(plan.records.map { ($0.shape.name, $0.shape.entity) }) { first, _ in first }
    for entity in plan.empty { entities[entity.name ?? ""] = entity }
    var deletion = newDeletion
    for (_, entity) in entities.sorted(by: { $0.key < $1.key }) {
      try deletion.delete(entity, unless: isSpared)
    }
    finish(&deletion)
    pruned = deletion.digests.mapValues { DigestList($0) }
  }

  private mutating func finish(_ deletion: inout SeedDeletion) {
    deletion.count()
    deleted = deletion.counts
  }
}
