import CoreData
import Foundation

extension SeedRun {
  /// Does all that a run does in a context that is not saved. What the seeds have is in memory as a whole.
  func preview() throws -> SeedPreview {
    var report = SeedReport()
    let ledger = currentLedger
    let choice = try choose(ledger, &report)
    guard !choice.isEmpty else { return SeedPreview(report: report, changes: []) }
    return try attempts(choice) { choice, _ in
      try leavingOutFailures { failures in
        let plan = try plan(intake(of: choice, failures), mayLack: choice, failures)
        let account = SeedAccount(seeder, choice.seeds, ledger, model)
        return try preview(plan, account, report, failures)
      }
    }
  }

  private func preview(
    _ plan: PlannedRecords,
    _ account: SeedAccount,
    _ report: SeedReport,
    _ failures: RecordFailures?
  ) throws -> SeedPreview {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performUncheckedAndWait {
      var writer = writer(of: plan, account, in: context, failures)
      do {
        try writer.write()
        try validate(context)
      } catch {
        throw writer.failure(error)
      }
      var report = report.adding(writer.counts, account.conflicts)
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
