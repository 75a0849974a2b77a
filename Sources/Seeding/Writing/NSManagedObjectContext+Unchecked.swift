package import CoreData

extension NSManagedObjectContext {
  /// Runs work on the context's queue and waits for it. The caller guarantees that no other thread
  /// uses the same data meanwhile, which the compiler cannot check.
  package final func performUncheckedAndWait<Result>(_ work: () throws -> Result) rethrows -> Result {
    try withoutActuallyEscaping(work) { work in
      nonisolated(unsafe) let work = work
      return try performAndWait { try work() }
    }
  }
}
