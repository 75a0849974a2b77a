import CoreData
import Foundation

extension StoreReading {
  /// Reads objects of an entity by their primary keys. Those that the store does not have any more are left
  /// out. Called on the queue of the context.
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
    var namer = ObjectNames()
    var values: [Int64: Value] = [:]
    for object in try context.fetch(request) { values[object.objectID.key] = value(object, &namer) }
    try context.throwReadFailure()
    return values
  }
}

/// The primary keys of an object that two stores have otherwise, or that one of them has alone.
package struct ComparedKeys: Hashable, Sendable {
  /// The key in the first store; `nil` where that does not have the object.
  package let before: Int64?
  /// The key in the second store; `nil` where that does not have the object.
  package let after: Int64?

  package init(before: Int64?, after: Int64?) {
    self.before = before
    self.after = after
  }
}

/// An object in both stores, property by property.
package struct ComparedObject: Hashable, Sendable {
  /// A property of the object, with what each store has for it.
  package struct Property: Hashable, Sendable {
    package let name: String
    /// The value in the first store, in words; `nil` where it does not have the object.
    package let before: String?
    /// The value in the second store, in words; `nil` where it does not have the object.
    package let after: String?
    /// True when both stores have the object, with other values.
    package let isDifferent: Bool
  }

  package let keys: ComparedKeys
  /// The name in the first store; `nil` where it does not have the object, or not any more.
  package let nameBefore: String?
  /// The name in the second store; `nil` where it does not have the object, or not any more.
  package let nameAfter: String?
  /// The properties that are compared, by name.
  package let properties: [Property]

  /// The name for people: that of the second store where it has the object.
  package var name: String? { nameAfter ?? nameBefore }
}

extension StoreComparison {
  /// Reads objects of both stores once more, as they are now.
  ///
  /// - Parameters:
  ///   - entity: the name of the entity.
  ///   - keys: the keys of each object, as a comparison has told them.
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
      ComparedObject(keys: keys, before: keys.before.flatMap { before[$0] }, after: keys.after.flatMap { after[$0] })
    }
  }

  private func sides(of entity: String, keys: [Int64], in reading: StoreReading, limit: Duration)
    async throws -> [Int64: ComparedObject.Side]
  {
    let content = ComparedContent(entity: try reading.entity(entity), keys: self.keys)
    if keys.isEmpty { return [:] }
    return try await reading.read(within: limit) { context in
      // Of some entities a row may be of any size.
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
