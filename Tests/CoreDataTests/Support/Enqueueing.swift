import CoreData

extension NSManagedObjectContext {
  /// Schedules work without waiting for it. In an asynchronous function, `perform(_:)` would select the awaited overload.
  func enqueue(_ work: @escaping @Sendable () -> Void) { perform(work) }

  /// Waits in `performAndWait(_:)` on a thread of the cooperative pool.
  func wait<Result>(_ work: @Sendable () throws -> Result) rethrows -> Result { try performAndWait(work) }
}
