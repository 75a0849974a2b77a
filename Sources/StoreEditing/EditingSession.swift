package import CoreData
import Foundation
import StoreExploration
import Synchronization

/// Edits the objects of a coordinator's first store. A context stages the changes until they are saved.
///
/// All clients share the session: they see each other's staged changes, undo each other's edits, and save all
/// changes together. Parameters and results are plain values. An entity and a key identify an object.
package final class EditingSession: Sendable {
  /// The time that one edit may take.
  let limit: Duration
  /// The time that a save may take.
  private let saveLimit: Duration

  let state: EditingState
  private let shown = Mutex((summary: StagedSummary(), marks: StagedMarks()))
  /// The latest save that ``beginSave(deciding:)`` has begun.
  let saves = Mutex<StagedSave?>(nil)
  /// The objects that the last successful save has written.
  let written = Mutex<SavedObjects?>(nil)

  /// Begins a session.
  ///
  /// - Parameter timeLimit: the time that a read of the store may take. An edit may take twice this time, and a save, which
  ///   waits for other programs, six times.
  /// - Throws: an `EditingFailure` with the code `readOnlyStore` if the store is read-only, or there is no store.
  package init(_ coordinator: NSPersistentStoreCoordinator, timeLimit: Duration = .seconds(10)) throws {
    limit = timeLimit * 2
    saveLimit = timeLimit * 6
    guard let explored = ExploredStore(coordinator) else {
      throw EditingFailure(
        code: .readOnlyStore,
        problem: "the coordinator has no store",
        remedy: "add one before the session begins"
      )
    }
    if explored.store.isReadOnly {
      let place = explored.store.url.map { $0.isFileURL ? $0.path : $0.absoluteString } ?? "the store"
      throw EditingFailure(
        code: .readOnlyStore,
        problem: "\(place) was opened to be read only",
        remedy: "open it to be written"
      )
    }
    state = EditingState(explored)
  }

  /// The number of staged changes after the last edit. Reading it does not wait for the context.
  package var summary: StagedSummary { shown.withLock { $0.summary } }

  /// The kinds of the staged changes after the last edit. Reading them does not wait for the context.
  package var marks: StagedMarks { shown.withLock { $0.marks } }

  var explored: ExploredStore { state.explored }

  /// Runs work on the queue of the session's context.
  ///
  /// - Throws: the work's error, or an `EditingFailure` with the code `tookTooLong` if the time is over.
  func run<Value: Sendable>(_ work: @escaping @Sendable (EditingState) throws -> Value) async throws -> Value {
    let state = state
    return try await Self.telling {
      try await state.context.perform(deadline: .now + limit) { try self.answer(work) }
    }
  }

  /// Runs an edit on the queue of the session's context, after the save that is under way.
  ///
  /// A save that meets another program's lock leaves the queue between its attempts. An edit that ran there would be part
  /// of a save that a person has begun without it.
  ///
  /// - Throws: the errors of ``run(_:)``, and an `EditingFailure` with the code `saveInProgress` while a save waits for
  ///   another program.
  func runEdit<Value: Sendable>(_ work: @escaping @Sendable (EditingState) throws -> Value) async throws -> Value {
    if let save = latestSave, !save.hasEnded { _ = await save.untilNews(within: limit) }
    return try await run { state in
      if self.saves.withLock({ $0 })?.isWaiting == true { throw EditingFailure.saveIsWaiting }
      return try work(state)
    }
  }

  /// Runs work that saves on the queue of the session's context. No other context of the coordinator saves in the
  /// meantime.
  ///
  /// While another program has the store's lock, other work of the session runs. The work is then repeated.
  ///
  /// - Parameter whenWaiting: called when the work has waited for another program for a second, with the beginning of
  ///   the wait.
  func runWriting<Value: Sendable>(
    whenWaiting: @escaping @Sendable (_ since: ContinuousClock.Instant) -> Void,
    _ work: @escaping @Sendable (EditingState) throws -> Value
  ) async throws -> Value {
    let state = state
    return try await Self.telling {
      try await state.context.performWrite(deadline: .now + saveLimit, whenWaiting: whenWaiting) {
        try self.answer(work)
      }
    }
  }

  /// Runs the work on the queue, then updates the summary and the marks.
  private func answer<Value>(_ work: (EditingState) throws -> Value) throws -> Value {
    // An earlier read failure was already reported to its caller.
    state.forgetReadFailure()
    defer { publish() }
    return try work(state)
  }

  /// Updates the summary and the marks. Called on the queue.
  func publish() {
    let changes = StagedChanges(state)
    let (summary, marks) = (state.summary(of: changes), StagedMarks(changes, in: state))
    shown.withLock { $0 = (summary, marks) }
  }

  private static func telling<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as NSError
      where error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreTimeoutError
    {
      throw EditingFailure(
        code: .tookTooLong,
        problem: "the store has not answered in time",
        remedy: "another program may be writing it; try again"
      )
    }
  }
}
