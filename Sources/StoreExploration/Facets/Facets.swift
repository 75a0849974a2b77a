package import CoreData
import Foundation
import Seeding

/// Counts the objects of an entity by the values of their properties.
///
/// The store groups the objects and does not return them. A store cannot group by a relationship to an entity
/// with subentities or by an element of a composite attribute. For these properties, up to
/// ``mostGroupedInMemory`` objects are read into memory.
package struct Facets: Sendable {
  /// The greatest number of values in a facet.
  package static let mostValues = 200
  /// The greatest number of objects read for a facet that the store cannot group.
  package static let mostGroupedInMemory = 20_000

  let entity: NSEntityDescription
  private let reading: StoreReading
  /// Returns the predicate of the counted objects. Called on the queue of a context.
  private let condition: @Sendable (NSManagedObjectContext) throws -> NSPredicate?

  /// - Parameters:
  ///   - entity: the name of the entity.
  ///   - predicate: the text of a predicate that the objects must fulfill; empty for all objects.
  ///   - coordinator: the coordinator whose stores have the objects.
  /// - Throws: an `ExplorationFailure` if the model does not have the entity, or the predicate is not valid.
  package init(entity: String, predicate: String = "", in coordinator: NSPersistentStoreCoordinator) throws {
    reading = StoreReading(coordinator: coordinator)
    self.entity = try reading.entity(entity)
    condition = { _ in try ExplorationPredicate.read(predicate, entity: entity, in: coordinator) }
    _ = try ExplorationPredicate.read(predicate, entity: entity, in: coordinator)
  }

  /// Counts the objects of a grid: the objects in its scope that fulfill its predicate.
  ///
  /// - Throws: an `ExplorationFailure` if the model does not have the entity, or the predicate is not valid.
  package init(_ query: GridQuery, in explored: ExploredStore) throws {
    reading = StoreReading(coordinator: explored.coordinator)
    entity = try reading.entity(query.entity)
    condition = { try explored.predicate(of: query, in: $0) }
    _ = try ExplorationPredicate.read(query.predicate, entity: query.entity, in: explored.coordinator)
  }

  /// The properties with values that can be counted, by name.
  package var properties: [String] {
    entity.propertiesByName.values.filter { (try? FacetSubject($0.name, of: entity)) != nil }.map(\.name)
      .sorted()
  }

  /// Counts the objects by the values of a property.
  ///
  /// - Parameters:
  ///   - keyPath: the name of an attribute or of a to-one relationship, or a key path across to-one
  ///     relationships to such a property.
  ///   - top: the largest number of separate values, from 1 to ``mostValues``.
  ///   - secondsFromGMT: the time zone in which days, months and years begin.
  ///   - limit: the time that the store may take.
  /// - Throws: an `ExplorationFailure` if the property does not exist, its values cannot be counted, or the
  ///   time was too short; `CancellationError` if the task is cancelled.
  package func facet(
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
