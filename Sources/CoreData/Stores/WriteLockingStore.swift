import Foundation

/// A store that lets one call at a time write. A call can take the write lock before it reaches the
/// store.
protocol WriteLockingStore: ObjectStore {
  /// Waits for the write lock on behalf of a call, without blocking a thread.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when others write until the store's timeout or the
  ///   call's deadline is over, or the store is closed; `CancellationError` when the call's task is
  ///   cancelled.
  nonisolated(nonsending) func takeTurn(for call: StoreCall) async throws -> any StoreWriteLock

  /// True when another process, or a connection outside of the store, holds the write lock now.
  ///
  /// It does not wait. It is false when the store cannot tell, such as while a writer of this process
  /// has the lock.
  var isLockedElsewhere: Bool { get }
}

/// The turn of a call to write a store.
protocol StoreWriteLock: Sendable {
  func end()
}

/// The turns of a call to write the stores of a coordinator.
struct StoreWriteLocks: Sendable {
  private var turns: [any StoreWriteLock] = []

  /// Waits for the locks without blocking a thread, store by store in the order in which a save
  /// takes them.
  ///
  /// - Parameter coordinator: `nil` for none.
  nonisolated(nonsending) init(of coordinator: NSPersistentStoreCoordinator?, for call: StoreCall)
    async throws
  {
    do {
      for case let store as any WriteLockingStore in coordinator?.openStores ?? [] where !store.isReadOnly {
        turns.append(try await store.takeTurn(for: call))
      }
    } catch {
      end()
      throw error
    }
  }

  func end() { for turn in turns.reversed() { turn.end() } }
}
