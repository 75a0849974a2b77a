package import CoreData
import Foundation
import StoreExploration
import Synchronization

/// Edits of the objects of a coordinator's first store, staged in one context until they are saved.
///
/// All who edit share the session: they see each other's staged changes, undo each other's edits, and
/// save all of them. Whatever goes in and comes out is a plain value; objects are named by entity and key.
package final class EditingSession: Sendable {
  /// The time that one edit may take.
  static let limit = Duration.seconds(20)
  /// The time that a save may take.
  static let saveLimit = Duration.seconds(60)

  let state: EditingState
  private let shown = Mutex(StagedSummary())

  /// Begins a session.
  ///
  /// - Throws: an `EditingFailure` of the code `readOnlyStore` when the store cannot be written, or when
  ///   there is none.
  package init(_ coordinator: NSPersistentStoreCoordinator) throws {
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

  /// The staged changes in numbers, as they were after the last edit. Known without waiting.
  package var summary: StagedSummary { shown.withLock { $0 } }

  var explored: ExploredStore { state.explored }

  /// Does work on the queue of the session's context.
  ///
  /// - Throws: what the work throws; an `EditingFailure` of the code `tookTooLong` when its time was up.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable (EditingState) throws -> Value
  ) async throws -> Value {
    let state = state
    return try await Self.telling {
      try await state.context.perform(deadline: .now + Self.limit) { try self.answer(work) }
    }
  }

  /// Does work on the queue of the session's context when it is its turn to write.
  func runWriting<Value: Sendable>(
    _ work: @escaping @Sendable (EditingState) throws -> Value
  ) async throws -> Value {
    let state = state
    return try await Self.telling {
      try await state.context.performWrite(deadline: .now + Self.saveLimit) { try self.answer(work) }
    }
  }

  /// Called on the queue.
  private func answer<Value>(_ work: (EditingState) throws -> Value) throws -> Value {
    // What could not be read before concerns whoever read it.
    state.forgetReadFailure()
    defer { publish() }
    return try work(state)
  }

  /// Called on the queue.
  func publish() {
    let summary = state.summary
    shown.withLock { $0 = summary }
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
        remedy: "somebody else may be writing it; try again"
      )
    }
  }
}
