#if PostgreSQL
  import CoreData
  import Foundation
  import Synchronization

  extension PostgreSQLStore.Engine {
    /// Called after a commit that other programs are to be notified of.
    func changesWereCommitted() {
      announcer.announce()
      historyLifetime?.historyGrew(self)
    }
  }

  extension PostgreSQLConnections {
    /// They are kept already.
    var unnumberedHistory: PostgreSQLUnnumberedHistory? { nil }

    func changesWereMade(in engine: PostgreSQLStore.Engine, entry: PostgreSQLHistoryEntry?) {
      engine.changesWereCommitted()
    }
  }

  extension PostgreSQLStore {
    /// Begins to use an engine, and to watch the store where its options ask for it.
    func start(_ found: (engine: Engine, metadata: StoreMetadata)) throws {
      let watched = options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey] as? Bool == true
      let started = watched ? try watch(found.engine) : nil
      apply(found.metadata)
      // A store whose history is not continued is read-only, because further writes would leave a gap in the history.
      if found.engine.hasHistory, !found.engine.tracksHistory { isReadOnly = true }
      opened.withLock { $0 = found.engine }
      watcher.withLock { $0 = started }
      started?.start()
    }

    private func watch(_ engine: Engine) throws -> PostgreSQLChangeWatcher {
      try reading("The store could not be watched") {
        try PostgreSQLChangeWatcher(channel: engine.channel, connections: engine.connections) {
          [weak self] transaction in
          self?.postRemoteChange(transaction: transaction)
        }
      }
    }

    func stopWatching() {
      watcher.withLock { watcher in
        defer { watcher = nil }
        return watcher
      }?
      .stop()
    }
  }
#endif
