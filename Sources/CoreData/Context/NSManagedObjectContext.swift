public import Foundation
import Synchronization

/// The place where managed objects live: a context fetches them, keeps one object for each record,
/// and saves their changes together.
///
/// ```swift
/// let background = container.newBackgroundContext()
/// try await background.perform {
///   let note = Note(context: background)
///   note.title = "Sow the broad beans"
///   note.createdAt = Date()
///   try background.save()
/// }
/// ```
///
/// A context belongs to a queue, and it and its objects are used on that queue alone: in ``perform(_:)`` and
/// `performAndWait(_:)`, or on the main queue for a main-queue context. Its changes go to the store of its coordinator,
/// or to its parent context. Apple's documentation of `NSManagedObjectContext`.
// Used on its queue alone, which COREDATA_CONCURRENCY_DEBUG checks. Locks protect the state that other threads read.
open class NSManagedObjectContext: NSObject, WeakHandleOwner, @unchecked Sendable {
  /// The kind of queue that the context belongs to.
  public final let concurrencyType: NSManagedObjectContextConcurrencyType

  /// A name for debugging.
  ///
  /// ```swift
  /// context.name = "import of the garden"
  /// print(context)
  /// ```
  open var name: String?

  /// A place for the application's own data.
  ///
  /// ```swift
  /// context.userInfo["importNumber"] = 7
  /// let number = context.userInfo["importNumber"] as? Int
  /// ```
  public final let userInfo = NSMutableDictionary()

  /// The policy by which conflicts with the saved changes of other contexts or processes are
  /// resolved: an ``NSMergePolicy``. A conflict is an error unless set.
  ///
  /// ```swift
  /// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// let tag = Tag(context: context)
  /// tag.name = "garden"  // the entity's uniqueness constraint; there is one of this name
  /// try context.save()
  /// ```
  open var mergePolicy: Any = NSMergePolicy.error

  /// A Boolean value that is true when the context takes over, each time on its own queue and a
  /// moment later, what other contexts save to its coordinator or its parent; `false` unless set.
  ///
  /// ```swift
  /// context.automaticallyMergesChangesFromParent = true
  /// let id = note.objectID
  /// try await container.performBackgroundTask { background in
  ///   let note = background.object(with: id) as? Note
  ///   note?.title = "Prune the pear tree"
  ///   try background.save()
  /// }
  /// let title = await context.perform { note.title }
  /// ```
  open var automaticallyMergesChangesFromParent = false { didSet { followParent() } }

  /// A Boolean value that is true when an object that turns out to be missing from the store is
  /// treated as deleted; `true` unless set.
  open var shouldDeleteInaccessibleFaults = true

  /// The author of the context's changes, as persistent history has it.
  ///
  /// ```swift
  /// context.transactionAuthor = "import"
  /// try context.save()
  /// ```
  open var transactionAuthor: String?

  /// True when objects that a save to a store changes may exchange the values of uniqueness
  /// constraints. Seeding sets it, whose records have no order; all other saves are in conflict.
  package final var exchangesUniqueValues = false

  /// The greatest age, in seconds, that fetched values may have when their fault is fired; older
  /// values are fetched again. A negative number, the default, allows any age; 0 fetches the values
  /// each time. A fault whose values were dropped fetches them in any case.
  @exclusivity(unchecked) open var stalenessInterval: TimeInterval = -1

  /// The undo manager that changes are registered with to be undone; `nil` unless set.
  ///
  /// ```swift
  /// let manager = UndoManager()
  /// context.undoManager = manager
  /// note.isPinned = false
  /// context.processPendingChanges()
  /// if manager.canUndo { context.undo() }
  /// ```
  open var undoManager: UndoManager? {
    didSet {
      if undoManager !== oldValue { oldValue?.removeAllActions(withTarget: self) }
    }
  }

  /// A Boolean value that is true when deletions reach the destinations of relationships when
  /// changes are processed, and not at once; `true` unless set.
  @exclusivity(unchecked) open var propagatesDeletesAtEndOfEvent = true

  /// A Boolean value that is true when the context retains objects that no other code retains; `false` unless set.
  @exclusivity(unchecked) open var retainsRegisteredObjects = false

  final let queue: ContextQueue
  final let weakHandle = WeakHandle()
  /// True when uses outside of the queue are logged or stop the program.
  final let isGuarded = ConcurrencyDebug.mode != .off
  /// Tells which uses outside of the queue are hazards, where these are logged.
  final let watch: QueueWatch?
  /// The state that fetched objects have at first.
  final let stateOfFetched: ObjectState =
    ConcurrencyDebug.mode != .off ? [.fault, .registered, .guarded] : [.fault, .registered]
  final var registry = ObjectRegistry(model: nil, context: nil)
  /// The channel that the context fetches from and saves to; `nil` while it has neither coordinator nor parent.
  final var channel: (any ObjectChannel)?
  final var coordinatorSet: NSPersistentStoreCoordinator?
  final var parentSet: NSManagedObjectContext?
  final var children = WeakContexts()
  /// True after the coordinator has added the context to those that merge automatically.
  final var isFollower = false
  /// The objects with unsaved changes, which the context owns; some may have lost theirs since.
  @exclusivity(unchecked) final var pending: ContiguousArray<NSManagedObject> = []
  /// The objects that changed since changes were last processed.
  @exclusivity(unchecked) final var pendingForEvent: ContiguousArray<NSManagedObject> = []
  /// The sets in the notification of the last event, if that event was about all objects with
  /// unsaved changes: a save that follows announces the same sets. `nil` where that is not known.
  @exclusivity(unchecked) final var setsOfEvent: ChangedSets?
  /// The changes that came from outside since changes were last processed.
  final var arrived = ArrivedChanges()
  /// The results that change with the objects of the context.
  final var resultsFollowing: [WeakContextResults] = []
  /// An object that the observed fetches of the context share and own; only they know its type.
  final weak var sharedByResults: AnyObject?
  /// Objects kept because ``retainsRegisteredObjects`` is set.
  final var retained: [ObjectIdentifier: NSManagedObject] = [:]
  /// The entity whose object is being made, and the row that it is made for; a new object has none.
  // The model owns the entity.
  @exclusivity(unchecked) final unowned(unsafe) var entityToInstantiate: NSEntityDescription?
  /// The layout of the entity that was last found for a class: most often the next object is of the same class.
  @exclusivity(unchecked) final var layoutOfLastClass: EntityLayout?
  @exclusivity(unchecked) final var rowToMaterialize: RowToMaterialize?
  /// A ``RowEntity`` to be used again; `nil` while it brings a row along.
  @exclusivity(unchecked) final var spareRowEntity: RowEntity?
  /// More than 0 while changes do not count: objects are awakening.
  final var awakening = 0
  /// True when more changes are waiting to be processed at the end of the event.
  final var isProcessingScheduled = false
  /// The first error by which values could not be read when a fault was fired, where no error can
  /// be thrown: the next save throws it.
  final var readingFailure: (any Error)?
  /// The number of failed reads. ``noticingReadFailures(_:)`` compares it before and after some work.
  final var readFailureCount = 0
  /// True when delete rules are still to be applied, since relationships could not be read.
  final var hasUnpropagatedDeletions = false
  /// Counts faults; `nil` where the policy is to ignore these.
  @exclusivity(unchecked) final var faultWatch: FaultWatch?
  final let ownReadFailureHandling = Mutex<ReadFailureHandling?>(nil)
  /// Objects that the next save has to look for in the store, though they did not change here.
  final var watched: [NSManagedObject] = []
  /// The permanent references of objects that children may still name by their temporary ones.
  final var assignedReferences: [Int64: ObjectReference] = [:]
  /// References that new objects got when the parent was saved.
  final let pendingReferences = PendingReferences()

  /// Makes a context that belongs to the main queue or to a queue of its own.
  ///
  /// ```swift
  /// let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  /// reader.persistentStoreCoordinator = coordinator
  /// let count = try reader.performAndWait { try reader.count(for: Note.fetchRequest()) }
  /// ```
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    let watch = ConcurrencyDebug.mode == .log ? QueueWatch() : nil
    self.watch = watch
    queue = ContextQueue(isMain: concurrencyType == .mainQueueConcurrencyType, watch: watch)
    super.init()
    registry = ObjectRegistry(model: nil, context: self)
  }

  /// Makes a context for the main queue. On Apple's platforms, where it is deprecated as well, the
  /// context has no queue and is used by the thread that made it.
  @available(*, deprecated, message: "Use init(concurrencyType:) instead")
  public convenience override init() { self.init(concurrencyType: .mainQueueConcurrencyType) }

  /// Makes a context that belongs to the main queue or to a queue of its own.
  ///
  /// ```swift
  /// let importer = NSManagedObjectContext(.privateQueue)
  /// importer.persistentStoreCoordinator = coordinator
  /// importer.name = "import"
  /// ```
  public convenience init(_ concurrencyType: ConcurrencyType) { self.init(concurrencyType: concurrencyType.rawValue) }

  deinit {
    for object in registry.allObjects(hasExtras: true) { object.extras = nil }
    registry.loseContext()
    weakHandle.letGo()
  }

  /// The coordinator whose stores the context uses; the parent's in a child context. Set it once.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { coordinatorSet ?? parentSet?.persistentStoreCoordinator }
    set { connect(coordinator: newValue) }
  }

  /// The context that changes are saved to, and fetched from. Set it once.
  ///
  /// ```swift
  /// let draft = NSManagedObjectContext(.privateQueue)
  /// draft.parent = context
  /// try draft.performAndWait {
  ///   Note(context: draft).title = "Mend the fence"
  ///   try draft.save()
  /// }
  /// try context.save()
  /// ```
  open var parent: NSManagedObjectContext? {
    get { parentSet }
    set { connect(parent: newValue) }
  }

  // MARK: - Queue

  /// Adds work to the context's queue, and does not wait for it.
  ///
  /// ```swift
  /// context.perform {
  ///   note.isPinned = false
  ///   do {
  ///     try context.save()
  ///   } catch {
  ///     print("the note stays pinned: \(error.localizedDescription)")
  ///   }
  /// }
  /// ```
  @preconcurrency open func perform(_ block: @escaping @Sendable () -> Void) {
    let block = carrying(block)
    queue.async {
      self.beingCurrent(block)
      self.endEvent()
    }
  }

  /// Runs work on the context's queue and waits for it. Inside the queue it runs at once.
  ///
  /// ```swift
  /// context.performAndWait {
  ///   note.isPinned = false
  /// }
  /// ```
  @preconcurrency open func performAndWait(_ block: @Sendable () -> Void) {
    queue.sync { beingCurrent(block) }
  }

  // MARK: - Objects

  /// The objects that the next save inserts.
  ///
  /// ```swift
  /// let note = Note(context: context)
  /// print(context.insertedObjects.contains(note))  // true
  /// try context.save()
  /// print(context.insertedObjects.isEmpty)  // true
  /// ```
  open var insertedObjects: Set<NSManagedObject> {
    checkConfinement()
    return objects { $0.isInserted }
  }
  /// The objects that have changed since the last save.
  ///
  /// ```swift
  /// note.isPinned = false
  /// for case let note as Note in context.updatedObjects {
  ///   print(note.title, note.changedValues().keys)
  /// }
  /// ```
  open var updatedObjects: Set<NSManagedObject> {
    checkConfinement()
    return objects { $0.isUpdated }
  }
  /// The objects that the next save deletes.
  ///
  /// ```swift
  /// context.delete(note)
  /// print(context.deletedObjects.count)  // 1
  /// ```
  open var deletedObjects: Set<NSManagedObject> {
    checkConfinement()
    return objects { $0.isDeleted && !$0.state.contains(.inserted) }
  }
  /// The objects that the context has.
  open var registeredObjects: Set<NSManagedObject> {
    checkConfinement()
    return Set(registry.allObjects())
  }

  /// A Boolean value that is true when there is anything to save. New objects that were deleted again do not count.
  ///
  /// ```swift
  /// if context.hasChanges {
  ///   try context.save()
  /// }
  /// ```
  open var hasChanges: Bool {
    checkConfinement()
    return pending.contains { object in object.hasChanges && !object.state.isSuperset(of: [.inserted, .deleted]) }
  }

  /// The object of an ID if the context has it already.
  ///
  /// ```swift
  /// let known = context.registeredObject(for: note.objectID)
  /// print(known === note)  // true
  /// ```
  open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    checkConfinement()
    return registry.object(for: currentReference(reference(of: objectID)), root: objectID.layout.rootNumber)
  }

  /// The object of an ID: as a fault, whether it is in the store or not, unless the context has it already.
  ///
  /// ```swift
  /// let note = context.object(with: id) as? Note
  /// print(note?.isFault ?? false)  // true
  /// print(note?.title ?? "")  // Prune the apple tree
  /// ```
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    checkConfinement()
    return object(for: currentReference(reference(of: objectID)))
  }

  /// The object of an ID, with its values.
  ///
  /// ```swift
  /// do {
  ///   let note = try context.existingObject(with: id) as? Note
  ///   print(note?.title ?? "")
  /// } catch {
  ///   print("the note is gone: \(error.localizedDescription)")
  /// }
  /// ```
  ///
  /// - Throws: `NSManagedObjectReferentialIntegrityError` when there is no such object.
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    try findExistingObject(with: objectID)
  }

  /// Returns true when an object that turns out to be missing from the store is to be treated as
  /// deleted. The program stops when the method returns false. Subclasses override it to decide by
  /// other criteria than ``shouldDeleteInaccessibleFaults``.
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject,
    for oid: NSManagedObjectID,
    triggeredByProperty property: NSPropertyDescription?
  ) -> Bool { shouldDeleteInaccessibleFaults }

  /// Puts an object that is in no context into this one, to be inserted by the next save; takes the
  /// deletion of one that is in it back.
  ///
  /// ```swift
  /// let note = Note(entity: Note.entity(), insertInto: nil)
  /// note.title = "Mend the fence"
  /// context.insert(note)
  /// try context.save()
  /// ```
  open func insert(_ object: NSManagedObject) { insertObject(object) }

  /// Marks an object to be deleted by the next save.
  ///
  /// ```swift
  /// context.delete(note)
  /// try context.save()
  /// ```
  open func delete(_ object: NSManagedObject) { deleteObject(object) }

  /// Drops the values of an object, or brings them up to date with the store and puts the changes back on top.
  ///
  /// ```swift
  /// context.refresh(note, mergeChanges: true)
  /// print(note.title, note.rating)
  /// ```
  open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) { refreshObject(object, mergesChanges: flag) }

  /// Brings all objects up to date with the store when they are next used, keeping their changes.
  ///
  /// ```swift
  /// context.refreshAllObjects()
  /// print(notes.map(\.title))
  /// ```
  open func refreshAllObjects() {
    checkConfinement()
    for object in registry.allObjects() { refreshObject(object, mergesChanges: true) }
  }

  // MARK: - Fetching

  /// Returns the number of objects that a request would find.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.predicate = NSPredicate(format: "author == nil")
  /// let unsigned = try context.count(for: request)
  /// ```
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out.
  open func count<ResultType>(for request: NSFetchRequest<ResultType>) throws -> Int {
    try CocoaError.ofPredicates { try countObjects(request) }
  }

  /// Carries out a batch request.
  ///
  /// ```swift
  /// let request = NSBatchUpdateRequest(entityName: "Note")
  /// request.propertiesToUpdate = ["isPinned": false]
  /// request.resultType = .updatedObjectIDsResultType
  /// let result = try context.execute(request) as? NSBatchUpdateResult
  /// let changed = [NSUpdatedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
  /// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changed, into: [context])
  /// ```
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out.
  @discardableResult
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    try CocoaError.ofPredicates { try executeRequest(request) }
  }

  // MARK: - Changes

  /// Applies delete rules and notifies observers of the changes; fetches and saves do so too.
  ///
  /// ```swift
  /// if let author = note.author {
  ///   context.delete(author)
  /// }
  /// context.processPendingChanges()
  /// print(note.author == nil)  // true
  /// ```
  open func processPendingChanges() {
    checkConfinement()
    processChanges()
  }

  /// Validates all changes and hands them to the parent context or the stores: all of them or none.
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch {
  ///   print("nothing was saved: \(error.localizedDescription)")
  ///   context.rollback()
  /// }
  /// ```
  ///
  /// - Throws: an error in `NSCocoaErrorDomain`: of validation, of a conflict that the merge policy
  ///   does not resolve, or of the store. The context keeps its changes.
  open func save() throws { try saveChanges() }

  /// Undoes what the undo manager last recorded.
  ///
  /// ```swift
  /// note.title = "Fell the apple tree"
  /// context.undo()
  /// print(note.title)  // Prune the apple tree
  /// ```
  open func undo() {
    checkConfinement()
    processChanges()
    undoManager?.undo()
  }

  /// Makes what was last undone once more.
  ///
  /// ```swift
  /// context.undo()
  /// context.redo()
  /// print(note.title)  // Fell the apple tree
  /// ```
  open func redo() {
    checkConfinement()
    processChanges()
    undoManager?.redo()
  }

  /// Drops all changes, and what the undo manager recorded of the context.
  ///
  /// ```swift
  /// note.title = "Fell the apple tree"
  /// context.delete(notes[1])
  /// context.rollback()
  /// print(note.title, context.hasChanges)  // Prune the apple tree false
  /// ```
  open func rollback() { rollBackChanges() }

  /// Drops all changes and all registered objects. The program must not use an object that it still retains.
  ///
  /// ```swift
  /// for number in 1...100 {
  ///   Note(context: context).title = "Note \(number)"
  ///   if number.isMultiple(of: 25) {
  ///     try context.save()
  ///     context.reset()
  ///   }
  /// }
  /// ```
  open func reset() { forgetObjects() }

  /// Has a new object saved in a certain store. Without it, the first store that can keep the entity is taken.
  ///
  /// ```swift
  /// let archive = try coordinator.addPersistentStore(type: .inMemory)
  /// let note = Note(context: context)
  /// context.assign(note, to: archive)
  /// try context.save()
  /// ```
  open func assign(_ object: Any, to store: NSPersistentStore) { assignObject(object, to: store) }

  /// Makes the next save check whether another context or process has changed an object that did
  /// not change here, which is a conflict.
  open func detectConflicts(for object: NSManagedObject) { watchForConflicts(of: object) }

  /// Gives new objects permanent IDs before they are saved.
  ///
  /// ```swift
  /// let note = Note(context: context)
  /// try context.obtainPermanentIDs(for: [note])
  /// let address = note.objectID.uriRepresentation()
  /// ```
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when the store cannot give any.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws { try obtainReferences(for: objects) }

  private final func objects(where isIncluded: (NSManagedObject) -> Bool) -> Set<NSManagedObject> {
    Set(pending.filter(isIncluded))
  }

  open override var description: String { ObjectHead.text(self, [("name", name)]) }
}

/// The queue that a context belongs to.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// A queue of the context's own.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// The queue that a context belongs to.
  public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
    public let rawValue: NSManagedObjectContextConcurrencyType

    public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

    /// A queue of the context's own.
    public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
  }
}

struct WeakContext: Sendable {
  @WeakHandleReference var context: NSManagedObjectContext?
}
