package import CoreData
import Foundation

/// Compares two stores of the same model, object by object: for example a store and its backup, or a store
/// before and after another program changed it.
///
/// Objects are read in batches. The index needs 33 bytes of memory for each object of the first store, for up
/// to ``mostAtOnce`` objects of an entity. Larger entities are compared in several passes over both stores.
package struct StoreComparison: Sendable {
  /// The greatest number of an entity's objects in the index at the same time.
  package static let mostAtOnce = 4_000_000

  let first: StoreReading
  let second: StoreReading
  let keys: MatchingKeys
  private let mostAtOnce: Int

  /// - Parameters:
  ///   - first: the coordinator of the store with the old state.
  ///   - second: the coordinator of the store with the new state.
  ///   - keys: by the name of an entity, the attributes and the key paths across to-one relationships that identify its
  ///     objects. An empty list means the primary key. `ObjectMatching.Reason` lists the rules for the other entities.
  /// - Throws: an `ExplorationFailure` if the stores' models differ, or a key is not valid.
  package init(
    from first: NSPersistentStoreCoordinator,
    to second: NSPersistentStoreCoordinator,
    keys: [String: [String]] = [:]
  ) throws {
    try self.init(from: first, to: second, keys: keys, mostAtOnce: Self.mostAtOnce)
  }

  /// - Parameter mostAtOnce: the greatest number of an entity's objects in the index at the same time.
  package init(
    from first: NSPersistentStoreCoordinator,
    to second: NSPersistentStoreCoordinator,
    keys: [String: [String]],
    mostAtOnce: Int
  ) throws {
    self.first = StoreReading(coordinator: first)
    self.second = StoreReading(coordinator: second)
    self.mostAtOnce = max(1, mostAtOnce)
    try Self.check(first.managedObjectModel, other: second.managedObjectModel)
    let identifiers = [first, second].map { Set($0.persistentStores.compactMap(\.identifier)) }
    self.keys = try MatchingKeys(
      second.managedObjectModel,
      chosen: keys,
      areOfOneOrigin: !identifiers[0].isDisjoint(with: identifiers[1])
    )
  }

  private static func check(_ one: NSManagedObjectModel, other: NSManagedObjectModel) throws {
    let (hashes, otherHashes) = (one.entityVersionHashesByName, other.entityVersionHashesByName)
    guard hashes != otherHashes else { return }
    let names = Set(hashes.keys).union(otherHashes.keys).filter { hashes[$0] != otherHashes[$0] }.sorted()
    throw ExplorationFailure(
      code: .incomparable,
      problem: "the stores have different models: they differ in \(names.prefix(20).joined(separator: ", "))",
      remedy: "migrate a copy of the older store to the newer model, and compare that"
    )
  }

  /// How the objects of each entity are matched, in the order of the entities' names.
  package var matchings: [ObjectMatching] { keys.matchings.values.sorted { $0.entity < $1.entity } }

  /// Compares the stores.
  ///
  /// The differences come in the order of the entities' names. Within an entity, changed and inserted objects
  /// come first, in the order of their primary keys in the second store. Deleted objects follow, in the order
  /// of their primary keys in the first store.
  ///
  /// - Parameters:
  ///   - entities: the names of the entities to compare; `nil` for all.
  ///   - limit: the time limit for comparing an entity, in each store; `nil` for no limit.
  ///   - progress: called when the comparison of an entity begins, and after each batch of objects. The
  ///     thread is arbitrary.
  ///   - body: called with each difference, one at a time. The thread is arbitrary. An error that it throws
  ///     ends the comparison.
  /// - Returns: the counts, by the name of the entity. Abstract entities are not included.
  /// - Throws: the errors of the stores, an error of the body, and `CancellationError` if the task is cancelled.
  package func run(
    entities: [String]? = nil,
    within limit: Duration? = nil,
    progress: @escaping @Sendable (ComparisonProgress) -> Void = { _ in },
    _ body: @escaping @Sendable (ObjectDifference) throws -> Void
  ) async throws -> [String: ComparisonCounts] {
    var counts: [String: ComparisonCounts] = [:]
    let wanted =
      try entities.map { try $0.map { try second.entity($0) } }
      ?? second.coordinator.managedObjectModel.entities
    for entity in wanted.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) where !entity.isAbstract {
      let run = EntityComparison(
        entity: entity.name ?? "",
        first: first,
        second: second,
        keys: keys,
        limit: limit,
        mostAtOnce: mostAtOnce,
        tell: progress
      )
      counts[entity.name ?? ""] = try await run.counts(body)
    }
    return counts
  }
}
