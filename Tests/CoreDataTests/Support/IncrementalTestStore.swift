import CoreData
import Foundation
import Predicates

/// An application's own incremental store, with records in a dictionary. It evaluates predicates on the context's objects.
final class IncrementalTestStore: NSIncrementalStore, @unchecked Sendable {
  static let storeType = "IncrementalTestStore"

  private struct Record {
    var version: UInt64
    var values: [String: Any]
    var toMany: [String: [NSManagedObjectID]]
  }

  private let lock = NSRecursiveLock()
  private var records: [NSManagedObjectID: Record] = [:]
  private var order: [NSManagedObjectID] = []
  private var lastName = 0
  /// When set, saves fail.
  var isFailing = false

  override var type: String { Self.storeType }

  override func loadMetadata() throws {
    metadata = [NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: UUID().uuidString]
  }

  override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws
    -> Any
  {
    switch request {
    case let save as NSSaveChangesRequest:
      if isFailing { throw CocoaError(.fileWriteOutOfSpace) }
      return keep(save)
    case let fetch as NSFetchRequest<NSManagedObjectID>:
      guard let context else { return [] }
      let found = try search(fetch, context)
      return fetch.resultType == .countResultType ? [NSNumber(value: found.count)] : found
    default:
      throw CocoaError(.featureUnsupported)
    }
  }

  private func search(
    _ request: NSFetchRequest<NSManagedObjectID>,
    _ context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    let objects = lock.withLock { order }.filter { id in
      guard let entity = request.entity else { return false }
      return request.includesSubentities ? id.entity.isKindOf(entity: entity) : id.entity === entity
    }.map { context.object(with: $0) }
    let matches = try request.predicate.map { try PredicateEvaluator($0) }
    let found = try objects.filter { try matches?($0) ?? true }
    let sorted = try Sorter(request.sortDescriptors ?? []).sorted(found)
    let rest = sorted.dropFirst(request.fetchOffset)
    return (request.fetchLimit == 0 ? rest : rest.prefix(request.fetchLimit)).map(\.objectID)
  }

  private func keep(_ request: NSSaveChangesRequest) -> [Any] {
    lock.withLock {
      for object in request.deletedObjects ?? [] {
        records[object.objectID] = nil
        order.removeAll { $0 == object.objectID }
      }
      for object in request.insertedObjects ?? [] { order.append(object.objectID) }
      for object in (request.insertedObjects ?? []).union(request.updatedObjects ?? []) {
        records[object.objectID] = record(object, (records[object.objectID]?.version ?? 0) + 1)
      }
      return []
    }
  }

  private func record(_ object: NSManagedObject, _ version: UInt64) -> Record {
    var record = Record(version: version, values: [:], toMany: [:])
    for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
      record.values[name] = object.value(forKey: name)
    }
    for (name, relationship) in object.entity.relationshipsByName {
      let value = object.value(forKey: name)
      if relationship.isToMany {
        let found =
          (value as? NSOrderedSet)?.array as? [NSManagedObject] ?? Array(value as? Set<NSManagedObject> ?? [])
        record.toMany[name] = found.map(\.objectID)
      } else {
        record.values[name] = (value as? NSManagedObject)?.objectID ?? NSNull()
      }
    }
    return record
  }

  override func newValuesForObject(
    with objectID: NSManagedObjectID,
    with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    guard let record = lock.withLock({ records[objectID] }) else {
      throw CocoaError(.managedObjectReferentialIntegrity)
    }
    return NSIncrementalStoreNode(objectID: objectID, withValues: record.values, version: record.version)
  }

  override func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    let record = lock.withLock { records[objectID] }
    if relationship.isToMany { return record?.toMany[relationship.name] ?? [] }
    return record?.values[relationship.name] ?? NSNull()
  }

  override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    lock.withLock {
      array.map { object in
        lastName += 1
        return newObjectID(for: object.entity, referenceObject: lastName)
      }
    }
  }
}
