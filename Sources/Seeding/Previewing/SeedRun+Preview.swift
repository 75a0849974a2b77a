import CoreData
import Foundation

extension SeedRun {
  /// Does all that a run does in a context that is not saved. What the seeds have is in memory as a whole.
  func preview() throws -> SeedPreview {
    var report = SeedReport()
    let seeds = try newSeeds(SeedLedger(metadata: coordinator.metadata(for: store)), &report)
    let plan = try plan(seeds)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      var writer = SeedWriter(plan, seeder.mode, in: context)
      do {
        try writer.write()
        try validate(context)
      } catch {
        throw SeedFailure.described(error, position: writer.position)
      }
      report.add(writer.counts)
      return SeedPreview(report: report, changes: PreviewedChanges(writer).all())
    }
  }

  /// The checks of a save.
  private func validate(_ context: NSManagedObjectContext) throws {
    context.processPendingChanges()
    for object in context.deletedObjects { try object.validateForDelete() }
    for object in context.insertedObjects { try object.validateForInsert() }
    for object in context.updatedObjects { try object.validateForUpdate() }
  }
}
