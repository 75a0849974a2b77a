public import CoreData
import Foundation
import Seeding

/// Counts the objects of an entity by the values of their properties.
///
/// The store makes the groups; objects are not read. Relationships to an entity that others inherit
/// from, and elements of composite attributes, are the exception: a store cannot group by them, and
/// up to ``mostGroupedInMemory`` objects are read in their place.
public struct Facets: Sendable {
  /// The greatest number of values that a facet tells.
  public static let mostValues = 200
  /// The greatest number of objects that are read for a facet that the store cannot make.
  public static let mostGroupedInMemory = 20_000

  let entity: NSEntityDescription
  private let reading: StoreReading
  /// Gives the condition of the objects that are counted. Called on the queue of a context.
  private let condition: @Sendable (NSManagedObjectContext) throws -> NSPredicate?

  /// - Parameters:
  ///   - entity: the name of the entity.
  ///   - predicate: the text of a predicate that the objects have to fulfil; empty for all objects.
  ///   - coordinator: its stores are asked.
  /// - Throws: an `ExplorationFailure` when the model has no such entity, or the predicate is none.
  public init(entity: String, predicate: String = "", in coordinator: NSPersistentStoreCoordinator) throws {
    reading = StoreReading(coordinator: coordinator)
    self.entity = try reading.entity(entity)
    condition = { _ in try ExplorationPredicate.read(predicate, entity: entity, in: coordinator) }
    _ = try ExplorationPredicate.read(predicate, entity: entity, in: coordinator)
  }

  /// Makes facets of the objects of a grid: those in its scope for which its predicate is true.
  ///
  /// - Throws: an `ExplorationFailure` when the model has no such entity, or the predicate is none.
  package init(_ query: GridQuery, in explored: ExploredStore) throws {
    reading = StoreReading(coordinator: explored.coordinator)
    entity = try reading.entity(query.entity)
    condition = { try explored.predicate(of: query, in: $0) }
    _ = try ExplorationPredicate.read(query.predicate, entity: query.entity, in: explored.coordinator)
  }

  /// The properties that a facet can be made of, by name.
  public var properties: [String] {
    entity.propertiesByName.values.filter { (try? FacetSubject($0.name, of: entity)) != nil }.map(\.name)
      .sorted()
  }

  /// Counts the objects by the values of a property.
  ///
  /// - Parameters:
  ///   - keyPath: the name of an attribute or of a to-one relationship, or a key path that leads to
  ///     one across to-one relationships.
  ///   - top: the largest number of values by themselves, from 1 to ``mostValues``.
  ///   - secondsFromGMT: the time zone in which days, months and years begin.
  ///   - limit: the time that the store may take.
  /// - Throws: an `ExplorationFailure` when there is no such property, it has no values that could be
  ///   counted, or the time was too short; `CancellationError` when the task was cancelled.
  public func facet(
    by keyPath: String,
    top: Int = 20,
    secondsFromGMT: Int = 0,
    within limit: Duration = .seconds(10)
  ) async throws -> Facet {
    let top = min(max(top, 1), Self.mostValues)
    let offset = min(max(secondsFromGMT, -86_400), 86_400)
    return try await reading.read(within: limit, isPinned: true) { context in
      let subject = try FacetSubject(keyPath, of: entity)
      let query = FacetQuery(context: context, subject: subject, given: try condition(context))
      return try FacetMaker(query: query, top: top, secondsFromGMT: offset).facet()
    }
  }
}
