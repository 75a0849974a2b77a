import CRuntime
import Foundation

// The closures are `@Sendable`, so that one that is written in an actor's method does not inherit the actor and stop
// the program on the context's queue. `@preconcurrency` lets callers that hand on closures of their own go on
// compiling. Source: the declarations in Apple's documentation of `NSManagedObjectContext`.
extension NSManagedObjectContext {
  /// The time at which work that is handed to a context is to run.
  ///
  /// ```swift
  /// let rating = await context.perform(schedule: .enqueued) { note.rating }
  /// ```
  public enum ScheduledTaskType: Sendable {
    /// The work runs at once if the caller holds the queue already, and else in the order of the queue.
    case immediate
    /// In its turn, after what is waiting already.
    case enqueued
  }

  /// Runs work on the context's queue and waits for it. Inside the queue it runs at once.
  ///
  /// ```swift
  /// let titles = try context.performAndWait {
  ///   try context.fetch(Note.fetchRequest()).map(\.title)
  /// }
  /// ```
  ///
  /// - Throws: the error of the work.
  @preconcurrency nonisolated public final func performAndWait<Result, Failure: Error>(
    _ block: @Sendable () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try queue.sync { () throws(Failure) in try beingCurrent(block) }
  }

  /// Runs work on the context's queue, and suspends the caller until it is done.
  ///
  /// ```swift
  /// let count = try await context.perform {
  ///   Note(context: context).title = "Mend the fence"
  ///   try context.save()
  ///   return try context.count(for: Note.fetchRequest())
  /// }
  /// ```
  ///
  /// - Throws: the error of the work.
  @preconcurrency nonisolated(nonsending) public final func perform<Result, Failure: Error>(
    schedule: ScheduledTaskType = .immediate,
    _ block: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    if schedule == .immediate, queue.isHeldHere { return try beingCurrent(block) }
    let call = StoreCall()
    let block = carrying(block)
    // A save that waits for another process ends with the task.
    let outcome = await withTaskCancellationHandler {
      await queue.outcome { () throws(Failure) in
        try call.run { () throws(Failure) in
          defer { self.endEvent() }
          return try self.beingCurrent(block)
        }
      }
    } onCancel: {
      call.cancel()
    }
    return try outcome.get()
  }

  /// Has a block that another thread runs find what belongs to the caller's task.
  final func carrying(_ block: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    persistentStoreCoordinator?.monitoring.carrying(block) ?? block
  }

  /// Has a block that a thread of the queue runs find what belongs to the caller's task.
  final func carrying<Result, Failure: Error>(
    _ block: @escaping @Sendable () throws(Failure) -> Result
  ) -> @Sendable () throws(Failure) -> Result {
    persistentStoreCoordinator?.monitoring.carrying(block) ?? block
  }

  /// Runs work that finds the context as the one whose work it is.
  final func beingCurrent<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    // The caller keeps the context alive as long as the work runs.
    let outer = setCurrentContext(Unmanaged.passUnretained(self).toOpaque())
    defer { setCurrentContext(outer) }
    return try work()
  }

  /// The context whose work the calling thread does: of the innermost `perform(_:)` or `performAndWait(_:)`.
  static var current: NSManagedObjectContext? {
    currentContext().map { Unmanaged<NSManagedObjectContext>.fromOpaque($0).takeUnretainedValue() }
  }

  final func endEvent() {
    processChanges()
    undoManager?.endEvent()
  }
}

extension NSManagedObjectContext {
  /// Has a use outside of the context's queue logged, or stop the program, where confinement is
  /// checked. Each public member calls it before it touches what the context keeps.
  ///
  /// - Parameter member: the public member that was called.
  @inline(__always)
  final func checkConfinement(_ member: StaticString = #function) {
    if isGuarded { checkUse(of: nil, member: member) }
  }

  @inline(never)
  fileprivate final func checkUse(of object: NSManagedObject?, member: StaticString) {
    if queue.isHeldHere { return }
    if ConcurrencyDebug.mode == .stop { failUse(of: object, member: member) }
    if watch?.isHazard == true { logUse(of: object, member: member) }
  }

  private final func logUse(of object: NSManagedObject?, member: StaticString) {
    // Only immutable state of the object is read, because other code may be changing the rest.
    let isMain = concurrencyType == .mainQueueConcurrencyType
    let name = name.map { " \"\($0)\"" } ?? ""
    let entity = object.map { $0.layout.entity.name ?? "" }
    let call = "Use it and its objects in `await context.perform { … }`"
    ConfinementLog.record(
      entity.map { "an object of the entity \($0)" } ?? "\(member)",
      of: "the context\(name)",
      queue: isMain ? "the main queue" : "a queue of its own",
      remedy: isMain ? "\(call) or in functions of @MainActor, or use a background context." : "\(call)."
    )
  }

  private final func failUse(of object: NSManagedObject?, member: StaticString) -> Never {
    let kind = concurrencyType == .mainQueueConcurrencyType ? "main queue" : "queue of its own"
    let name = name.map { " \"\($0)\"" } ?? ""
    let access = object.map { "the object \($0.describeIdentity())" } ?? "\(member)"
    fatalError(
      """
      the context\(name) belongs to the \(kind), and \(access) was used outside of it; use the context and its \
      objects inside of context.perform or performAndWait, and pass objects on by their objectID.
      """
    )
  }
}

extension NSManagedObject {
  /// Has a use outside of the queue of the object's context logged, or stop the program, where confinement is checked.
  @inline(__always)
  final func checkConfinement() {
    if state.contains(.guarded) { checkUse() }
  }

  @inline(never)
  private final func checkUse() { registry.context?.checkUse(of: self, member: "an object") }
}
