/// The users of a service, which are also available if the service does not answer.
@MainActor
struct UserDirectory {
  /// How up to date the store is.
  enum Freshness {
    /// The store has the service's latest answer.
    case current
    /// The store has an older answer. The error is the reason why there is no newer one.
    case stale(any Error)
  }

  let service: UserService
  let store: UserStore

  /// Requests the users and stores the answer. Without a valid answer the stored users stay.
  func refresh() async -> Freshness {
    do {
      try await store.replaceUsers(with: try await service.userList())
      return .current
    } catch {
      return .stale(error)
    }
  }
}
