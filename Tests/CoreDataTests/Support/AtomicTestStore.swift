import CoreData
import Foundation
import Synchronization

/// An application's own atomic store, which keeps its contents in a table of the process instead of a file.
final class AtomicTestStore: NSAtomicStore, @unchecked Sendable {
  static let storeType = "AtomicTestStore"

  struct Record {
    let entity: String
    let name: String
    let values: [String: Any]
    /// The entities and names of the related objects.
    let destinations: [String: [(entity: String, name: String)]]
  }

  struct File: @unchecked Sendable {
    var metadata: [String: Any] = [:]
    var records: [Record] = []
  }

  static let files = Mutex<[String: File]>([:])
  /// The stores whose next save fails.
  static let failing = Mutex<Set<String>>([])

  override var type: String { Self.storeType }
  private var path: String { url?.absoluteString ?? "" }

  override func load() throws {
    guard let model = persistentStoreCoordinator?.managedObjectModel,
      let file = Self.files.withLock({ $0[path] })
    else {
      metadata = [NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: UUID().uuidString]
      return
    }
    metadata = file.metadata
    var nodes: Set<NSAtomicStoreCacheNode> = []
    for record in file.records {
      guard let entity = model.entitiesByName[record.entity] else { continue }
      let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: record.name))
      for (key, value) in record.values { node.setValue(value, forKey: key) }
      for (key, destinations) in record.destinations {
        let ids = destinations.compactMap { destination in
          model.entitiesByName[destination.entity].map {
            objectID(for: $0, withReferenceObject: destination.name)
          }
        }
        node.setValue(NSOrderedSet(array: ids), forKey: key)
      }
      nodes.insert(node)
    }
    addCacheNodes(nodes)
  }

  override func save() throws {
    let place = path
    if Self.failing.withLock({ $0.remove(place) }) != nil {
      throw CocoaError(.fileWriteOutOfSpace, userInfo: [NSLocalizedDescriptionKey: "the disk is full"])
    }
    var file = File(metadata: metadata)
    for node in cacheNodes() { file.records.append(record(node)) }
    let (key, written) = (path, file)
    Self.files.withLock { $0[key] = written }
  }

  private func record(_ node: NSAtomicStoreCacheNode) -> Record {
    let entity = node.objectID.entity
    var values: [String: Any] = [:]
    for name in entity.attributesByName.keys { values[name] = node.value(forKey: name) }
    var destinations: [String: [(entity: String, name: String)]] = [:]
    for name in entity.relationshipsByName.keys {
      let ids = (node.value(forKey: name) as? NSOrderedSet)?.array as? [NSManagedObjectID] ?? []
      destinations[name] = ids.map { ($0.entity.name ?? "", referenceObject(for: $0) as? String ?? "") }
    }
    return Record(
      entity: entity.name ?? "",
      name: referenceObject(for: node.objectID) as? String ?? "",
      values: values,
      destinations: destinations
    )
  }

  override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

  override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    updateCacheNode(node, from: managedObject)
    return node
  }

  override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
    for (name, attribute) in managedObject.entity.attributesByName where !attribute.isTransient {
      node.setValue(managedObject.value(forKey: name), forKey: name)
    }
    for name in managedObject.entity.relationshipsByName.keys {
      let found: [Any]
      switch managedObject.value(forKey: name) {
      case let one as NSManagedObject: found = [one.objectID]
      case let ordered as NSOrderedSet: found = ordered.compactMap { ($0 as? NSManagedObject)?.objectID }
      case let set as Set<NSManagedObject>: found = set.map(\.objectID)
      default: found = []
      }
      node.setValue(NSOrderedSet(array: found), forKey: name)
    }
  }
}
