import CoreData
import Foundation

extension SeedRun {
  /// Does all that a run does in a context that is not saved. All records of the seeds are in memory together.
  /// - Parameter comparing: True to find out how the store differs from the seeds, whatever a run would do.
  func preview(comparing: Bool = false) throws -> SeedPreview {
    var report = SeedReport()
    let ledger = currentLedger
    let choice = try choose(ledger, report: &report)
    guard !choice.isEmpty else { return SeedPreview(report: report, changes: []) }
    return try attempts(choice, report: report) { attempt in
      let plan = try plan(try beginReading(attempt), attempt: attempt)
      let draft = LedgerDraft(seeder: seeder, seeds: attempt.choice.seeds, ledger: ledger, model: model)
      return try preview(plan, draft: draft, attempt: attempt, comparing: comparing)
    }
  }

  private func preview(
    _ plan: PlannedRecords,
    draft: LedgerDraft,
    attempt: SeedAttempt,
    comparing: Bool
  ) throws -> SeedPreview {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performUncheckedAndWait {
      var writer = writer(of: plan, draft: draft, in: context, attempt: attempt)
      do {
        try writer.write()
        // Objects of the store that have lost an owner to new ones would not be saved.
        if !comparing { try validate(context) }
      } catch {
        throw writer.failure(error)
      }
      let report = attempt.report(adding: writer.counts, conflicts: draft.conflicts)
      guard comparing else { return SeedPreview(report: report, changes: PreviewedChanges(writer).all()) }
      let twins = try SeedTwins(writer)
      let changes = PreviewedChanges(writer, twins: twins).all(without: twins.surplus)
      return SeedPreview(report: report, changes: changes)
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
