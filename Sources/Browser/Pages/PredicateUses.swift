import Synchronization

/// The predicates that were used last, by entity, as long as the program runs.
final class PredicateUses: Sendable {
  private static let most = 12
  /// Longer ones are not kept.
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
