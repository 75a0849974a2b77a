public import Foundation

/// The superclass of an application's own stores that are read and written as a whole.
///
/// A subclass overrides `load()`, `save()`, `newCacheNode(for:)`, `updateCacheNode(_:from:)` and
/// `newReferenceObject(for:)`, and the class methods for the metadata:
/// <https://developer.apple.com/documentation/coredata/nsatomicstore>.
// Set when the store is opened. It is written under its lock; reads go to the store in memory, which has its own lock.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
  package final let memory: InMemoryStore
  package final let writing = NSRecursiveLock()
  private final let names = ReferenceObjects()
  /// The keys are references, because the object IDs of nodes that `load()` creates lack the store's identifier if it
  /// sets the metadata later.
  private final var nodes: [ObjectReference: NSAtomicStoreCacheNode] = [:]
  private final var model: NSManagedObjectModel?
  /// The objects of the save that is going on; their references are given out by then.
  private final var saving: NSManagedObjectContext?

  /// Makes a store without opening it.
  public override init(
    persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?,
    configurationName: String?,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    memory = Self.makeMemory(options: options)
    super.init(
      persistentStoreCoordinator: coordinator,
      configurationName: configurationName,
      at: url,
      options: options
    )
  }

  // MARK: - For subclasses to override

  /// Reads the store, adds its nodes by `addCacheNodes(_:)` and sets its metadata. There may be no file yet.
  ///
  /// - Throws: why the store cannot be read.
  open func load() throws { fatalError("\(Swift.type(of: self)) must override load().") }

  /// Writes the nodes and the metadata.
  ///
  /// - Throws: why the store cannot be written; the nodes are then as they were before the save.
  open func save() throws { fatalError("\(Swift.type(of: self)) must override save().") }

  /// A node for a new object, with its values. The object has its permanent ID.
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    fatalError("\(Swift.type(of: self)) must override newCacheNode(for:).")
  }

  /// Takes the values of a changed object into its node.
  open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
    fatalError("\(Swift.type(of: self)) must override updateCacheNode(_:from:).")
  }

  /// A name for a new object, of its own among the objects of its entity's family: a number, a text
  /// or another value that can be compared.
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    fatalError("\(Swift.type(of: self)) must override newReferenceObject(for:).")
  }

  /// Called before nodes of deleted objects are removed.
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  /// Does nothing. Called before ``load()``, which may also set the metadata.
  ///
  /// - Throws: nothing here; an override throws the reason for which the metadata cannot be read.
  open override func loadMetadata() throws {}

  // MARK: - Nodes

  /// All nodes.
  open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { writing.withLock { Set(nodes.values) } }

  /// Adds the nodes of records that were read.
  open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    writing.withLock { for node in cacheNodes { nodes[node.objectID.reference] = node } }
  }

  /// The node of an object.
  open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
    writing.withLock { nodes[objectID.reference] }
  }

  /// The ID of the object with a name.
  open func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
    guard let name = data as? AnyHashable else {
      fatalError("\(Swift.type(of: data)) is not a reference object; give a number, a text or another hashable value.")
    }
    return makeID(names.key(of: name, root: entity.layout.rootNumber), entity: entity)
  }

  /// The name of an object.
  open func referenceObject(for objectID: NSManagedObjectID) -> Any {
    guard let name = names.name(of: objectID.reference.key, root: objectID.layout.rootNumber) else {
      fatalError(
        "\(objectID.uriRepresentation()) is not an ID of this store; take one from objectID(for:withReferenceObject:)."
      )
    }
    return name
  }
}

// MARK: - The store

extension NSAtomicStore: MemoryBackedStore, WholeFileStore {
  package final func open(model: NSManagedObjectModel) throws {
    self.model = model
    try openMemory(model)
    try loadMetadata()
    try load()
    identifier = metadata[NSStoreUUIDKey] as? String ?? identifier ?? UUID().uuidString
    metadata[NSStoreUUIDKey] = identifier
    metadata[NSStoreTypeKey] = metadata[NSStoreTypeKey] ?? type
    if metadata[NSStoreModelVersionHashesKey] == nil {
      metadata[NSStoreModelVersionHashesKey] = model.entityVersionHashesByName
    } else {
      let loaded = StoreMetadata(uuid: identifier ?? "", properties: metadata)
      let entities = model.entities(ofStoreWith: metadata, configuration: configurationName)
      try loaded.check(fits: model, entities: entities, file: url ?? StoreFile.nowhere)
    }
    publish(try AtomicNodes(store: index).contents(of: Array(nodes.values)))
  }

  package static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
    if url.isFileURL { try StoreFile(url).remove() }
  }

  package final func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return objects.map { new in
      let object = NSEntityDescription.insertNewObject(forEntityName: new.layout.entity.name ?? "", into: context)
      return objectID(for: new.layout.entity, withReferenceObject: newReferenceObject(for: object)).reference
    }
  }

  package final func references(for changes: ChangeSet) throws -> [Int64: ObjectReference] {
    let context = try makeSavingContext(changes)
    saving = context
    var references: [Int64: ObjectReference] = [:]
    for object in context.insertedObjects where object.objectID.isTemporaryID {
      let id = objectID(for: object.entity, withReferenceObject: newReferenceObject(for: object))
      references[object.reference.key] = id.reference
    }
    context.assignReferences(references)
    return references
  }

  package final func commitDraft(_ draft: InMemoryContents, changes: ChangeSet?) throws {
    guard changes != nil, let context = saving else {
      throw StoreFailure.error(
        NSPersistentStoreUnsupportedRequestTypeError,
        message:
          "\(Swift.type(of: self)) takes no batch requests; fetch the objects and change them in a context.",
        file: url
      )
    }
    defer { saving = nil }
    let before = nodes.mapValues { ($0, $0.propertyCache?.mutableCopy() as? NSMutableDictionary) }
    for object in context.updatedObjects {
      if let node = nodes[object.objectID.reference] { updateCacheNode(node, from: object) }
    }
    for object in context.insertedObjects { addCacheNodes([newCacheNode(for: object)]) }
    let removed = context.deletedObjects.compactMap { nodes[$0.objectID.reference] }
    if !removed.isEmpty { willRemoveCacheNodes(Set(removed)) }
    for node in removed { nodes[node.objectID.reference] = nil }
    do {
      try save()
    } catch {
      nodes = before.mapValues { $0.0 }
      for (node, values) in before.values { node.propertyCache = values }
      throw error
    }
  }
}

/// One record of an atomic store in memory.
///
/// Attributes have the values of key-value coding; a to-one relationship is a node or an object ID, a
/// to-many relationship a set, ordered set or array of them:
/// <https://developer.apple.com/documentation/coredata/nsatomicstorecachenode>.
// Changed by its store alone, under the store's lock.
open class NSAtomicStoreCacheNode: NSObject, @unchecked Sendable {
  /// The ID of the object that the node is of.
  public final let objectID: NSManagedObjectID

  /// The values by name.
  open var propertyCache: NSMutableDictionary? = NSMutableDictionary()

  /// Makes a node without values.
  public required init(objectID moid: NSManagedObjectID) {
    objectID = moid
    super.init()
  }

  #if !canImport(ObjectiveC)
    /// The value of a property; `nil` for none.
    open func value(forKey key: String) -> Any? { propertyCache?.object(forKey: key) }

    /// Sets the value of a property.
    open func setValue(_ value: Any?, forKey key: String) {
      if let value {
        propertyCache?.setObject(value, forKey: key as NSString)
      } else {
        propertyCache?.removeObject(forKey: key)
      }
    }
  #endif

  open override var description: String { ObjectHead.text(self) }
}
