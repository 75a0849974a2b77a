import Foundation

/// A store that lets one call at a time write, and whose turn a call can have before it comes to
/// the store.
protocol TurnTakingStore: ObjectStore {
  /// Waits for the turn of a call without holding a thread.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when others write until the store's timeout or the
  ///   call's deadline is over, or the store is closed; `CancellationError` when the call's task is
  ///   cancelled.
  nonisolated(nonsending) func takeTurn(for call: StoreCall) async throws -> any StoreTurn
}

/// The turn of a call to write a store.
protocol StoreTurn: Sendable {
  func end()
}
