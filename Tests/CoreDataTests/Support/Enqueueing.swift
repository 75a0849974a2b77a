import CoreData

extension NSManagedObjectContext {
  /// Hands over work without waiting for it, which `perform(_:)` does not mean in an asynchronous function.
  func enqueue(_ work: @escaping @Sendable () -> Void) { perform(work) }

  /// Waits in `performAndWait(_:)` on a thread of the cooperative pool.
  func wait<Result>(_ work: @Sendable () throws -> Result) rethrows -> Result { try performAndWait(work) }
}
