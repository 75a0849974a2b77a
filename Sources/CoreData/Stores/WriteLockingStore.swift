import Foundation

/// A store that lets one call at a time write. A call can take the write lock before it reaches the store.
protocol WriteLockingStore: ObjectStore {
  /// Waits for the write lock on behalf of a call, without blocking a thread.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when others write until the store's timeout or the call's deadline is
  ///   over, or the store is closed; `CancellationError` when the call's task is cancelled.
  nonisolated(nonsending) func acquireWriteLock(for call: StoreCall) async throws -> any StoreWriteLock

  /// True when another process, or a connection outside of the store, holds the write lock now.
  ///
  /// It does not wait. It is false when the store cannot tell, such as while a writer of this process has the lock.
  var isLockedElsewhere: Bool { get }
}

/// The write lock of a store that a call holds.
protocol StoreWriteLock: Sendable {
  func end()
}

/// The write locks of a coordinator's stores that a call holds.
struct StoreWriteLocks: Sendable {
  private var locks: [any StoreWriteLock] = []

  /// Waits for the locks without blocking a thread, store by store in the order in which a save takes them.
  ///
  /// - Parameter coordinator: `nil` for none.
  nonisolated(nonsending) init(of coordinator: NSPersistentStoreCoordinator?, for call: StoreCall)
    async throws
  {
    do {
      for case let store as any WriteLockingStore in coordinator?.openStores ?? [] where !store.isReadOnly {
        locks.append(try await store.acquireWriteLock(for: call))
      }
    } catch {
      end()
      throw error
    }
  }

  func end() { for lock in locks.reversed() { lock.end() } }
}
