public import CoreData
import Foundation

/// Compares two stores of the same model, object by object: a store with its backup, or with what
/// another program made of it.
///
/// Objects are read in batches. What stays in memory of an entity is 33 bytes for each object of the
/// first store, of up to ``mostAtOnce`` objects; more are compared in several passes over both stores.
public struct StoreComparison: Sendable {
  /// The greatest number of objects of an entity that are in the index together.
  public static let mostAtOnce = 4_000_000

  let first: StoreReading
  let second: StoreReading
  let keys: MatchingKeys
  private let mostAtOnce: Int

  /// - Parameters:
  ///   - first: the coordinator of the store as it was.
  ///   - second: the coordinator of the store as it is.
  ///   - keys: the names of attributes, and key paths across to-one relationships, by which objects
  ///     of an entity are the same; an empty list for the primary key. Entities that are not named
  ///     are matched as `ObjectMatching.Reason` says.
  /// - Throws: an `ExplorationFailure` when the stores' models differ, or a key is none.
  public init(
    from first: NSPersistentStoreCoordinator,
    to second: NSPersistentStoreCoordinator,
    keys: [String: [String]] = [:]
  ) throws {
    try self.init(from: first, to: second, keys: keys, mostAtOnce: Self.mostAtOnce)
  }

  /// - Parameter mostAtOnce: the greatest number of objects of an entity that are in the index together.
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

  /// The ways in which objects are matched, by the names of entities.
  public var matchings: [ObjectMatching] { keys.matchings.values.sorted { $0.entity < $1.entity } }

  /// Compares the stores.
  ///
  /// Differences come entity by entity, in the order of the entities' names: changed and inserted
  /// objects in the order of their primary keys in the second store, then the deleted ones in that
  /// of the first.
  ///
  /// - Parameters:
  ///   - entities: the names of the entities to compare; `nil` for all.
  ///   - limit: the time that the comparison of an entity may take in each store; `nil` for any.
  ///   - progress: called with how far the comparison of an entity is, at its beginning and behind each
  ///     batch of objects, on no thread in particular.
  ///   - body: called with each difference, on no thread in particular, one at a time. An error that
  ///     it throws ends the comparison.
  /// - Returns: the numbers, by the names of entities that have objects of their own.
  /// - Throws: the errors of the stores, what the body throws, and `CancellationError` when the task
  ///   was cancelled.
  public func run(
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
