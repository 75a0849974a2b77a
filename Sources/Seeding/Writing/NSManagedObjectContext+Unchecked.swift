package import CoreData

extension NSManagedObjectContext {
  /// Runs work on the context's queue and waits for it. The caller answers for it that nobody else
  /// uses meanwhile what the work uses, where the compiler cannot know it.
  package final func performUncheckedAndWait<Result>(_ work: () throws -> Result) rethrows -> Result {
    try withoutActuallyEscaping(work) { work in
      nonisolated(unsafe) let work = work
      return try performAndWait { try work() }
    }
  }
}
