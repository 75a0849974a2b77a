/// The turns of a call to write the stores of a coordinator.
struct StoreTurns: Sendable {
  private var turns: [any StoreTurn] = []

  /// Waits for the turns without holding a thread, store by store in the order in which a save
  /// takes them.
  ///
  /// - Parameter coordinator: `nil` for none.
  nonisolated(nonsending) init(of coordinator: NSPersistentStoreCoordinator?, for call: StoreCall)
    async throws
  {
    do {
      for case let store as any TurnTakingStore in coordinator?.openStores ?? [] where !store.isReadOnly {
        turns.append(try await store.takeTurn(for: call))
      }
    } catch {
      end()
      throw error
    }
  }

  func end() { for turn in turns.reversed() { turn.end() } }
}
