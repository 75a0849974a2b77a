import Foundation

extension SQLiteStore: TurnTakingStore {
  private struct Turn: StoreTurn {
    let turns: WriteTurns
    let call: StoreCall

    func end() { turns.end(call) }
  }

  nonisolated(nonsending) func takeTurn(for call: StoreCall) async throws -> any StoreTurn {
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
}
