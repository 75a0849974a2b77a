import CoreData
import Foundation

/// A step of a plan whose code creates or changes objects.
struct CodedStep: Sendable {
  let name: String
  let code: SeedPlan.Code

  /// The report of a run that skips the step because the store already has it.
  fileprivate func skipped(_ entry: SeedLedger.Entry) -> SeedReport {
    var report = SeedReport()
    report.seeds = [.init(name: name, contentHash: nil, wasSkipped: true)]
    for (entity, count) in entry.records { report.entities[entity, default: .init()].skipped = count }
    return report
  }

  /// The report of a run that has changed a context, which is not saved yet. Called on its queue.
  fileprivate func report(of context: NSManagedObjectContext) -> SeedReport {
    context.processPendingChanges()
    var report = SeedReport()
    report.seeds = [.init(name: name, contentHash: nil, wasSkipped: false)]
    for object in context.insertedObjects { report.entities[object.entityName, default: .init()].created += 1 }
    for object in context.deletedObjects { report.entities[object.entityName, default: .init()].deleted += 1 }
    for object in context.updatedObjects where object.hasPersistentChangedValues {
      report.entities[object.entityName, default: .init()].updated += 1
    }
    return report
  }

  /// The error for an error that the code has thrown.
  fileprivate func failure(_ error: any Error) -> SeedError {
    error as? SeedError
      ?? SeedError(
        code: .stepFailed,
        problem: "its code threw an error: \(ErrorWords.describe(error))",
        remedy: "correct the code, and run the plan again; nothing of the step is in the store",
        underlying: error
      )
  }
}

extension SeedRun {
  /// Runs the code of a step once for each store: in one transaction with its entry in the
  /// store's ledger where it can be, in one save elsewhere.
  func perform(_ step: CodedStep) throws -> SeedReport {
    #if !canImport(Darwin)
      if coordinator.canPerformTransactions { return try perform(step, in: TransactionDestination(run: self)) }
    #endif
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try perform(step, in: ContextDestination(run: self, context: context))
  }

  private func perform(_ step: CodedStep, in destination: some SeedDestination) throws -> SeedReport {
    try progress.check()
    if let entry = currentLedger.entry(ofStep: step.name) {
      progress.finish()
      return step.skipped(entry)
    }
    let report = try destination.save { context, ledger in
      // Another process may have been faster.
      if let entry = ledger.entry(ofStep: step.name) { return .nothing(step.skipped(entry)) }
      progress.tell(.writing)
      let author = SeedAuthor(step.name)
      author.sign(context)
      do {
        try step.code(context)
      } catch {
        throw step.failure(error)
      }
      try progress.check()
      progress.tell(.saving)
      let report = step.report(of: context)
      var ledger = ledger
      ledger.add(
        step: step.name,
        objects: report.entities.mapValues { $0.created + $0.updated },
        at: seeder.date ?? Date()
      )
      return WrittenSeeds(ledger: ledger, author: author, report: report) { SeedFailure.described($0) }
    }
    progress.finish()
    return report
  }
}

extension NSManagedObject {
  fileprivate var entityName: String { entity.name ?? "" }
}
