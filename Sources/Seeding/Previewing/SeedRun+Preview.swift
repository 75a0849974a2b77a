import CoreData
import Foundation

extension SeedRun {
  /// Does all that a run does in a context that is not saved. What the seeds have is in memory as a whole.
  func preview() throws -> SeedPreview {
    var report = SeedReport()
    let seeds = try newSeeds(SeedLedger(metadata: coordinator.metadata(for: store)), &report)
    return try leavingOutFailures { failures in
      let plan = try plan(intake(of: seeds, failures), failures)
      return try preview(plan, report, failures)
    }
  }

  private func preview(_ plan: PlannedRecords, _ report: SeedReport, _ failures: RecordFailures?) throws
    -> SeedPreview
  {
    var report = report
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performUncheckedAndWait {
      var writer = SeedWriter(plan, seeder.mode, in: context, leavesOutFailures: failures != nil)
      do {
        try writer.write()
        try validate(context)
      } catch {
        throw writer.failure(error)
      }
      report.add(writer.counts)
      report.add(failures)
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
