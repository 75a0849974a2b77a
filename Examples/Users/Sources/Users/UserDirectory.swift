/// What a service says of its users, also while it says nothing.
@MainActor
struct UserDirectory {
  /// How far the store can be trusted.
  enum Freshness {
    /// The store has what the service just said.
    case current
    /// The store has what the service said last; the error says why it has nothing newer.
    case stale(any Error)
  }

  let service: UserService
  let store: UserStore

  /// Asks the service and keeps its answer; without a good one, what is kept stays.
  func refresh() async -> Freshness {
    do {
      try await store.replaceUsers(with: try await service.userList())
      return .current
    } catch {
      return .stale(error)
    }
  }
}
