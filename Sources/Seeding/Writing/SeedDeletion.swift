import CoreData

/// Deletes the objects that a mode does not leave in the store.
struct SeedDeletion {
  private static let batchSize = 2000

  let context: NSManagedObjectContext

  /// Whether to save after each batch, so that very many need not be in memory together.
  let savesBatches: Bool

  /// Deletes the objects of exactly this entity that are not to be kept, by the model's delete rules. Called on the
  /// context's queue.
  /// - Returns: How many there were.
  func delete(_ entity: NSEntityDescription, unless isKept: (NSManagedObject) throws -> Bool = { _ in false })
    throws -> Int
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
    request.includesSubentities = false
    var count = 0
    try batches(of: request) { objects in
      for object in objects where try !isKept(object) {
        context.delete(object)
        count += 1
      }
      if savesBatches, context.hasChanges { try context.save() }
    }
    return count
  }

  private func batches(
    of request: NSFetchRequest<NSManagedObject>,
    _ body: ([NSManagedObject]) throws -> Void
  ) throws {
    #if !canImport(Darwin)
      if savesBatches { return try context.forEachBatch(of: request, size: Self.batchSize, body) }
    #endif
    try body(try context.fetch(request))
  }
}
