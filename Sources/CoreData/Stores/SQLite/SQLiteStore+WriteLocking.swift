import Foundation

extension SQLiteStore: WriteLockingStore {
  private struct HeldLock: StoreWriteLock {
    let lock: FairWriteLock
    let call: StoreCall

    func end() { lock.end(call) }
  }

  nonisolated(nonsending) func acquireWriteLock(for call: StoreCall) async throws -> any StoreWriteLock {
    let connections = try engine().connections
    do {
      try await connections.monitoring.timing(.turn) {
        try await connections.writeLock.take(for: call, timeout: connections.timeout)
      }
      return HeldLock(lock: connections.writeLock, call: call)
    } catch {
      throw SQLiteFailure.error(error, file: file, doing: "The call could not get the write lock")
    }
  }

  var isLockedElsewhere: Bool { (try? engine().connections.isLockedElsewhere) ?? false }
}
