import Foundation

extension SQLiteStore: WriteLockingStore {
  private struct Turn: StoreWriteLock {
    let turns: FairWriteLock
    let call: StoreCall

    func end() { turns.end(call) }
  }

  nonisolated(nonsending) func takeTurn(for call: StoreCall) async throws -> any StoreWriteLock {
    let connections = try engine().connections
    do {
      try await connections.monitoring.timing(.turn) {
        try await connections.turns.take(for: call, timeout: connections.timeout)
      }
      return Turn(turns: connections.turns, call: call)
    } catch {
      throw SQLiteFailure.error(error, file: file, doing: "The turn to write the store did not come")
    }
  }

  var isLockedElsewhere: Bool { (try? engine().connections.isLockedElsewhere) ?? false }
}
