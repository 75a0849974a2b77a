import Synchronization

/// The most recent predicates of each entity, kept while the program runs.
final class PredicateUses: Sendable {
  private static let most = 12
  /// The greatest length of a predicate that is kept, in bytes.
  private static let longest = 2_000
  private let predicates = Mutex<[String: [String]]>([:])

  func add(_ predicate: String, of entity: String) {
    if predicate.isEmpty || predicate.utf8.count > Self.longest { return }
    predicates.withLock { all in
      var list = all[entity, default: []]
      list.removeAll { $0 == predicate }
      list.insert(predicate, at: 0)
      all[entity] = Array(list.prefix(Self.most))
    }
  }

  func last(of entity: String) -> [String] { predicates.withLock { $0[entity] ?? [] } }
}
