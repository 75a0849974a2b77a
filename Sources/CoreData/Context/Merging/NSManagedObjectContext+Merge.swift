public import Foundation

extension NSManagedObjectContext {
  /// Takes over what another context saved.
  ///
  /// Changed objects that this context has are refreshed and keep their unsaved changes, new ones come in as faults,
  /// and deleted ones are deleted here too. The notification may be one with objects or one with object IDs, such as
  /// ``NSPersistentHistoryTransaction/objectIDNotification()``. Apple's documentation of
  /// `mergeChanges(fromContextDidSave:)`.
  ///
  /// ```swift
  /// let background = container.newBackgroundContext()
  /// let observer = NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextDidSave,
  ///   object: background,
  ///   queue: nil
  /// ) { notification in
  ///   context.mergeChanges(fromContextDidSave: notification)
  /// }
  /// ```
  public final func mergeChanges(fromContextDidSave notification: Notification) {
    queue.sync { merge(SavedReferences(notification.userInfo ?? [:], for: self)) }
  }

  /// Takes over what was changed elsewhere: by a batch request, in another process, or before a restart.
  ///
  /// Contexts get what their parents have, so that the parents of the contexts take it over first.
  ///
  /// ```swift
  /// let changes = [NSUpdatedObjectsKey: [note.objectID]]
  /// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
  /// ```
  ///
  /// - Parameters:
  ///   - changeNotificationData: arrays of `NSManagedObjectID` or of addresses of IDs under
  ///     ``NSInsertedObjectsKey``, ``NSUpdatedObjectsKey``, ``NSDeletedObjectsKey`` and the like.
  ///   - contexts: the contexts that take over the changes, each on its own queue.
  public static func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
    into contexts: [NSManagedObjectContext]
  ) {
    for context in withAncestors(contexts) {
      context.queue.sync { context.merge(SavedReferences(changeNotificationData, for: context)) }
    }
  }

  private static func withAncestors(_ contexts: [NSManagedObjectContext]) -> [NSManagedObjectContext] {
    var ordered: [NSManagedObjectContext] = []
    var seen: Set<ObjectIdentifier> = []
    func add(_ context: NSManagedObjectContext) {
      if let parent = context.parentSet { add(parent) }
      if seen.insert(ObjectIdentifier(context)).inserted { ordered.append(context) }
    }
    contexts.forEach(add)
    return ordered
  }

  /// The steps of merging the saved changes of another context or process.
  final func merge(_ changes: SavedReferences) {
    guard !changes.isEmpty, persistentStoreCoordinator != nil else { return }
    pullReferences()
    advanceQueryGeneration()
    let inserted = changes.inserted.map(object(for:))
    arrived.inserted += inserted
    let updated = changes.isEverything ? registry.allObjects() : changes.updated.compactMap(concernedObject(for:))
    let refreshed = updated.filter { refreshObject($0, mergesChanges: true) }
    let deleted = changes.deleted.compactMap(registeredObject(for:)).filter(deleteMerged)
    processChanges()
    postMerged(changes, refreshed: refreshed)
    forward(changes, to: children.all)
    // New objects that no caller has fetched live as long as the notifications about them.
    withExtendedLifetime((inserted, deleted)) {}
  }

  private final func registeredObject(for reference: ObjectReference) -> NSManagedObject? {
    registry.object(for: reference, root: layout(reference.entity).rootNumber)
  }

  /// The changed object, if it matters to this context.
  private final func concernedObject(for reference: ObjectReference) -> NSManagedObject? {
    registeredObject(for: reference) ?? (isFollowed(layout(reference.entity)) ? object(for: reference) : nil)
  }

  /// Records that another context or process has deleted an object; false when this context has deleted it too.
  ///
  /// The context that deleted the object has applied the delete rules. Here, this context updates
  /// the objects that it has registered.
  private final func deleteMerged(_ object: NSManagedObject) -> Bool {
    // An object that was found to be missing when its values were read is announced now.
    guard !object.isDeleted || object.state.contains(.inaccessible) else {
      object.state.insert(.deletedElsewhere)
      return false
    }
    object.state.formUnion([.deleted, .deletionPropagated, .deletedElsewhere])
    for neighbour in object.knownDestinations() where !neighbour.isDeleted {
      refreshObject(neighbour, mergesChanges: true)
    }
    recordChange(of: object)
    return true
  }

  private final func postMerged(_ changes: SavedReferences, refreshed: [NSManagedObject]) {
    var userInfo: [AnyHashable: Any] = [:]
    add(changes.inserted, key: NSInsertedObjectIDsKey, to: &userInfo)
    add(changes.updated, key: NSUpdatedObjectIDsKey, to: &userInfo)
    add(changes.deleted, key: NSDeletedObjectIDsKey, to: &userInfo)
    add(refreshed.map(\.reference), key: NSRefreshedObjectIDsKey, to: &userInfo)
    NotificationCenter.default.post(
      name: .NSManagedObjectContextDidMergeChangesObjectIDs,
      object: self,
      userInfo: userInfo
    )
  }

  /// Puts the IDs of objects into the contents of a notification.
  final func add(_ references: [ObjectReference], key: String, to userInfo: inout [AnyHashable: Any]) {
    if references.isEmpty { return }
    let stores = persistentStoreCoordinator?.openStores ?? []
    let model = connectedModel
    var objectIDs = Set<NSManagedObjectID>(minimumCapacity: references.count)
    var place = (index: ObjectReference.noStore, shared: NSManagedObjectID.Place(store: nil, model: model))
    var layout = layout(references[0].entity)
    for reference in references {
      if reference.entity != layout.number { layout = self.layout(reference.entity) }
      if reference.store != place.index {
        let store = stores.first { $0.index == reference.store }
        place = (reference.store, NSManagedObjectID.Place(store: store, model: model))
      }
      objectIDs.insert(NSManagedObjectID(reference: reference, layout: layout, place: place.shared))
    }
    userInfo[key] = objectIDs
  }

  // MARK: - Merging automatically

  /// Called when the context is connected, and when the caller makes it follow its parent.
  final func followParent() {
    if automaticallyMergesChangesFromParent { watch?.share() }
    guard automaticallyMergesChangesFromParent, let coordinatorSet, !isFollower else { return }
    isFollower = true
    coordinatorSet.addFollower(self)
  }

  /// Notifies the other children of this context's parent, or the other contexts of its
  /// coordinator, and this context's own children.
  final func forwardSave(of changes: SavedReferences) {
    if changes.isEmpty { return }
    if let parentSet {
      forward(changes, to: parentSet.queue.sync { parentSet.children.all })
    } else {
      coordinatorSet.map { forward(changes, to: $0.followers) }
    }
    forward(changes, to: children.all)
  }

  private final func forward(_ changes: SavedReferences, to followers: [WeakContext]) {
    for reference in followers {
      guard let follower = reference.context, follower !== self, follower.automaticallyMergesChangesFromParent
      else { continue }
      follower.queue.async { reference.context?.merge(changes) }
    }
  }
}

extension NSManagedObject {
  /// The destinations that the object's context has already.
  fileprivate final func knownDestinations() -> [NSManagedObject] {
    guard layout.hasRelationships, let context = registry.context else { return [] }
    var found: [NSManagedObject] = []
    for slot in layout.referenceSlots {
      guard let row = rowAtHand, case .reference(let reference) = row.value(slot) else { continue }
      let root = context.layout(reference.entity).rootNumber
      if let destination = registry.object(for: reference, root: root) { found.append(destination) }
    }
    for case let relationship? in extras?.toMany ?? [] { found += relationship.members?.objects ?? [] }
    return found
  }
}
