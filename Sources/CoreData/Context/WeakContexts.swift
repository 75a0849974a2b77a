/// Contexts that are not owned, each once.
struct WeakContexts: Sendable {
  private static let smallestLimit = 8

  private(set) var all: [WeakContext] = []
  /// The length at which released contexts are removed from the list.
  private var limit = Self.smallestLimit

  /// Adds a context that is not in the list.
  ///
  /// Released contexts are removed each time that the list has doubled: a search of the list for
  /// every new context would take quadratic time.
  mutating func add(_ context: NSManagedObjectContext) {
    if all.count >= limit {
      all.removeAll { $0.context == nil }
      limit = max(Self.smallestLimit, 2 * all.count)
    }
    all.append(WeakContext(context: context))
  }
}
