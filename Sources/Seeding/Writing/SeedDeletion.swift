import CoreData

/// Deletes objects that a run does not leave in the store, by the model's delete rules.
struct SeedDeletion {
  private static let batchSize = 2000

  let context: NSManagedObjectContext

  /// The natural keys by which the ledger knows objects.
  let naturalKeys: NaturalKeys

  /// True when each batch is saved, so that very many need not be in memory together.
  let savesBatches: Bool

  /// Checks that an object may be deleted; also called for objects that are deleted with others.
  private let check: (NSManagedObject) throws -> Void

  /// The number of objects of each entity that were deleted, those that went along with others too.
  private(set) var counts: [String: Int] = [:]

  /// The digests of the natural keys of deleted objects, by entity.
  private var digests: [String: [UInt64]] = [:]

  init(
    context: NSManagedObjectContext,
    naturalKeys: NaturalKeys,
    savesBatches: Bool,
    check: @escaping (NSManagedObject) throws -> Void = { _ in }
  ) {
    self.check = check
    self.context = context
    self.naturalKeys = naturalKeys
    self.savesBatches = savesBatches
  }

  /// Deletes the objects of exactly this entity that are not to be kept. Called on the context's queue.
  mutating func delete(
    _ entity: NSEntityDescription,
    unless isSpared: (NSManagedObject) throws -> Bool = { _ in false }
  ) throws {
    let request = NSFetchRequest.exactly(entity)
    #if !canImport(Darwin)
      if savesBatches {
        var deletion = self
        defer { self = deletion }
        return try context.forEachBatch(of: request, size: Self.batchSize) { objects in
          try deletion.delete(objects, of: entity, unless: isSpared)
          try deletion.saveBatch()
        }
      }
    #endif
    try delete(try context.fetch(request), of: entity, unless: isSpared)
  }

  private mutating func delete(
    _ objects: [NSManagedObject],
    of entity: NSEntityDescription,
    unless isSpared: (NSManagedObject) throws -> Bool
  ) throws {
    let key = naturalKeys.key(of: entity)
    for object in objects where try !isSpared(object) {
      if let values = key?.values(of: object) { digests[entity.name ?? "", default: []].append(SeedDigest.of(values)) }
      context.delete(object)
    }
  }

  /// Deletes an object.
  /// - Parameter digest: Of its natural key.
  mutating func delete(_ object: NSManagedObject, digest: UInt64?) {
    if let digest { digests[object.entity.name ?? "", default: []].append(digest) }
    context.delete(object)
  }

  /// Adds the digests of the natural keys of deleted objects, by entity.
  func add(to pruned: inout [String: DigestList]) {
    for (name, digests) in digests { pruned[name, default: DigestList()].add(DigestList(digests)) }
  }

  /// Counts and saves the deletions since the last save, if batches are saved.
  mutating func saveBatch() throws {
    guard savesBatches, context.hasChanges else { return }
    try count()
    do { try context.save() } catch { throw SeedFailure.described(error, in: context) }
  }

  /// Counts the deletions since the last save.
  mutating func count() throws {
    // Only then does the context include the objects that are deleted with others.
    context.processPendingChanges()
    for object in context.deletedObjects {
      try check(object)
      counts[object.entity.name ?? "", default: 0] += 1
    }
  }
}
