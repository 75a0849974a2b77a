/// Perennial's own: an actor whose state is a context and its objects.
///
/// ```swift
/// actor Library {
///   private let context: NSManagedObjectContext
///   nonisolated var unownedExecutor: UnownedSerialExecutor { context.asUnownedSerialExecutor() }
///
///   init(_ container: NSPersistentContainer) { context = container.newBackgroundContext() }
///
///   func rename(_ id: NSManagedObjectID, to title: String) throws {
///     (try context.existingObject(with: id) as? Note)?.title = title
///     try context.save()
///   }
/// }
/// ```
///
/// The actor's methods run on the context's queue, so that they use the context and its objects without `perform(_:)`,
/// and the compiler keeps the objects inside of the actor. Between two methods, and while a method awaits, other work
/// may run on the queue. The actor has to hold the context.
extension NSManagedObjectContext: SerialExecutor {
  /// Adds a piece of an actor's work to the context's queue.
  public nonisolated final func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      self.beingCurrent { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      self.endEvent()
    }
  }

  /// Stops the program when the caller is not on the context's queue.
  public nonisolated final func checkIsolated() {
    if queue.isHeldHere { return }
    fatalError("an actor on a context's queue was used outside of that queue; await its methods.")
  }

  /// True on the context's queue.
  public nonisolated final func isIsolatingCurrentContext() -> Bool? { queue.isHeldHere }
}
