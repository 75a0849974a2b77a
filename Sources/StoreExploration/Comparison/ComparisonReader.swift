import CoreData
import Foundation

extension StoreReading {
  /// Reads objects of an entity by their primary keys, on the queue of the context. Objects that were deleted
  /// are missing from the result.
  func objects<Value>(
    of entity: String,
    keys: [Int64],
    prefetching relationships: [String],
    in context: NSManagedObjectContext,
    _ value: (NSManagedObject, inout ObjectNames) -> Value
  ) throws -> [Int64: Value] {
    let identifiers = coordinator.persistentStores.compactMap(\.identifier)
    let ids = keys.flatMap { key in
      identifiers.compactMap { identifier in
        URL(string: "x-coredata://\(identifier)/\(entity)/p\(key)")
          .flatMap(coordinator.managedObjectID(forURIRepresentation:))
      }
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.includesSubentities = false
    request.predicate = NSPredicate(format: "SELF IN %@", ids)
    request.relationshipKeyPathsForPrefetching = relationships
    return try context.throwingReadFailures {
      var namer = ObjectNames()
      var values: [Int64: Value] = [:]
      for object in try context.fetch(request) { values[object.objectID.key] = value(object, &namer) }
      return values
    }
  }
}

/// The primary keys of an object that differs between two stores, or that only one of them has.
package struct ComparedKeys: Hashable, Sendable {
  /// The key in the first store; `nil` if that store does not have the object.
  package let before: Int64?
  /// The key in the second store; `nil` if that store does not have the object.
  package let after: Int64?

  package init(before: Int64?, after: Int64?) {
    self.before = before
    self.after = after
  }
}

/// The properties of an object in both stores.
package struct ComparedObject: Hashable, Sendable {
  /// A property of the object, with its value in each store.
  package struct Property: Hashable, Sendable {
    package let name: String
    /// The text of the value in the first store; `nil` if that store does not have the object.
    package let before: String?
    /// The text of the value in the second store; `nil` if that store does not have the object.
    package let after: String?
    /// True if both stores have the object and its values differ.
    package let isDifferent: Bool
  }

  package let keys: ComparedKeys
  /// The name in the first store; `nil` if that store does not have the object, or not any more.
  package let nameBefore: String?
  /// The name in the second store; `nil` if that store does not have the object, or not any more.
  package let nameAfter: String?
  /// The compared properties, in the order of their names.
  package let properties: [Property]

  /// The name to display: the second store's name if it has the object, otherwise the first store's.
  package var name: String? { nameAfter ?? nameBefore }
}

extension StoreComparison {
  /// Reads the present values of objects in both stores.
  ///
  /// - Parameters:
  ///   - entity: the name of the entity.
  ///   - keys: the keys of each object, from the result of a comparison.
  ///   - limit: the time that each store may take.
  /// - Returns: the objects in the order of the keys.
  package func objects(
    of entity: String,
    keys: [ComparedKeys],
    within limit: Duration
  ) async throws -> [ComparedObject] {
    let before = try await sides(of: entity, keys: keys.compactMap(\.before), in: first, limit: limit)
    let after = try await sides(of: entity, keys: keys.compactMap(\.after), in: second, limit: limit)
    return keys.map { keys in
      ComparedObject(
        keys: keys,
        before: keys.before.flatMap { before[$0] },
        after: keys.after.flatMap { after[$0] }
      )
    }
  }

  private func sides(of entity: String, keys: [Int64], in reading: StoreReading, limit: Duration)
    async throws -> [Int64: ComparedObject.Side]
  {
    let content = ComparedContent(entity: try reading.entity(entity), keys: self.keys)
    if keys.isEmpty { return [:] }
    return try await reading.read(within: limit) { context in
      // The rows of some entities have no size limit.
      let size = EntityComparison.batchSize(of: try reading.entity(entity))
      var sides: [Int64: ComparedObject.Side] = [:]
      for start in stride(from: 0, to: keys.count, by: size) {
        let part = Array(keys[start...].prefix(size))
        let found = try reading.objects(
          of: entity,
          keys: part,
          prefetching: content.prefetched,
          in: context
        ) { object, namer in
          ComparedObject.Side(name: namer.name(of: object), values: content.values(of: object, namer: &namer))
        }
        sides.merge(found) { $1 }
        context.refreshAllObjects()
      }
      return sides
    }
  }
}

extension ComparedObject {
  /// An object in one store.
  struct Side: Sendable {
    let name: String
    let values: [String: ComparedValue]
  }

  init(keys: ComparedKeys, before: Side?, after: Side?) {
    self.keys = keys
    nameBefore = before?.name
    nameAfter = after?.name
    let names = Set((before?.values ?? [:]).keys).union((after?.values ?? [:]).keys)
    properties = names.sorted().map { name in
      let (one, other) = (before?.values[name], after?.values[name])
      return Property(
        name: name,
        before: one?.words,
        after: other?.words,
        isDifferent: one.flatMap { one in other.map { $0.digest != one.digest } } ?? false
      )
    }
  }
}
