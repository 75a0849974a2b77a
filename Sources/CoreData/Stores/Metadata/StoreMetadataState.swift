import Synchronization

/// The metadata of an open store, and what of them waits for the next save.
///
/// Others may write metadata of the same store: a save writes the keys that were changed here, and
/// leaves the rest as it is.
package final class StoreMetadataState: Sendable {
  /// Metadata that wait for the next save.
  package struct Changes: Sendable {
    package fileprivate(set) var keys: Set<String> = []
    /// Counts the changes: a save must not forget what was changed while it ran.
    fileprivate var count = 0
  }

  private struct State: Sendable {
    var current: StoreMetadata?
    var changes = Changes()
  }

  private let state = Mutex(State())

  package init() {}

  package var isLoaded: Bool { state.withLock { $0.current != nil } }

  /// All of them, as `NSPersistentStore.metadata` has them.
  package var all: [String: Any] { state.withLock { $0.current?.all ?? [:] } }

  /// Replaces what the application sees. The store's own keys and its identity cannot be changed.
  package func setAll(_ new: [String: Any]) {
    state.withLock { state in
      guard let changed = state.current?.setAll(new), !changed.isEmpty else { return }
      state.changes.keys.formUnion(changed)
      state.changes.count += 1
    }
  }

  /// The metadata with the changes for the next save; `nil` without such changes.
  package var changed: (metadata: StoreMetadata, changes: Changes)? {
    state.withLock { state in
      guard let current = state.current, !state.changes.keys.isEmpty else { return nil }
      return (current, state.changes)
    }
  }

  /// Called when a store was opened with these.
  package func wereLoaded(_ metadata: StoreMetadata) { state.withLock { $0 = State(current: metadata) } }

  /// Forgets the metadata, which are loaded again.
  func unload() { state.withLock { $0 = State() } }

  /// Called when a save has committed changes.
  package func wereCommitted(_ committed: StoreMetadata, changes: Changes) {
    state.withLock { state in
      guard state.changes.count == changes.count else { return }
      state = State(current: committed)
    }
  }

  /// Called after reading them in a transaction, because other programs may have written them since
  /// the store was opened.
  package func wereRead(_ read: StoreMetadata) {
    state.withLock { state in
      var read = read
      for key in state.changes.keys { read.properties[key] = state.current?.properties[key] }
      state.current = read
    }
  }

  /// Called when the remains of a migration have been removed.
  func wereCleanedUp(_ committed: StoreMetadata) {
    state.withLock { $0.current?.isCleanupDeferred = committed.isCleanupDeferred }
  }
}
