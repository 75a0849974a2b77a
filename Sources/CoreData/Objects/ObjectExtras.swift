/// What only some objects need: made when it is first needed, so that a plain object stays small.
final class ObjectExtras {
  var objectID: NSManagedObjectID?
  /// The values as they were fetched or last saved, while the object has others.
  var committed: Row?
  /// What the object was like before the changes that have not been processed yet.
  var event: EventSnapshot?
  /// The destinations of to-one relationships that have been asked for, by slot.
  var destinations: [NSManagedObject?] = []
  /// What fetched properties found, by name.
  var fetchedProperties: [String: (found: [NSManagedObject], userInfoChanges: Int)] = [:]
  /// The to-many relationships that have been asked for or changed, by number.
  var toMany: [ToManyState?] = []

  func destination(_ slot: Int) -> NSManagedObject? {
    slot < destinations.count ? destinations[slot] : nil
  }

  func forgetDestination(_ slot: Int) {
    if slot < destinations.count { destinations[slot] = nil }
  }

  func setDestination(_ object: NSManagedObject?, _ slot: Int) {
    if destinations.count <= slot {
      destinations.reserveCapacity(slot + 1)
      while destinations.count <= slot { destinations.append(nil) }
    }
    destinations[slot] = object
  }
}

/// One to-many relationship of one object: what is in it, as far as known, and what changed since the last save.
final class ToManyState {
  /// The destinations; `nil` until they have been asked for.
  var members: RelationshipMembers?
  /// Destinations that were put in since the last save.
  var added: [ObjectIdentifier: NSManagedObject] = [:]
  /// Destinations that were taken out since the last save.
  var removed: [ObjectIdentifier: NSManagedObject] = [:]
  /// Whether an ordered relationship has another order than the last save left.
  var isReordered = false
  /// Destinations that were put in since changes were last processed.
  var addedInEvent: [ObjectIdentifier: NSManagedObject] = [:]
  /// Destinations that were taken out since changes were last processed.
  var removedInEvent: [ObjectIdentifier: NSManagedObject] = [:]
  /// The order before the changes that have not been processed yet, where it has changed.
  var orderBeforeEvent: [NSManagedObject]?
  /// The destinations as they were last answered, until they change.
  var answer: Any?

  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered }
  var hasChangesInEvent: Bool {
    !addedInEvent.isEmpty || !removedInEvent.isEmpty || orderBeforeEvent != nil
  }

  func noteAdded(_ object: NSManagedObject) {
    let identity = ObjectIdentifier(object)
    if removed.removeValue(forKey: identity) == nil { added[identity] = object }
    if removedInEvent.removeValue(forKey: identity) == nil { addedInEvent[identity] = object }
    answer = nil
  }

  func noteRemoved(_ object: NSManagedObject) {
    let identity = ObjectIdentifier(object)
    if added.removeValue(forKey: identity) == nil { removed[identity] = object }
    if addedInEvent.removeValue(forKey: identity) == nil { removedInEvent[identity] = object }
    answer = nil
  }

  func forgetChanges() {
    added.removeAll()
    removed.removeAll()
    isReordered = false
  }

  func endEvent() {
    addedInEvent.removeAll()
    removedInEvent.removeAll()
    orderBeforeEvent = nil
  }
}

/// An object before the changes of the current event.
struct EventSnapshot {
  /// Which of ``ObjectState/changed`` it was.
  let state: ObjectState
  let row: Row?
}

/// The destinations of a to-many relationship: each once, and in order where the relationship is ordered.
enum RelationshipMembers {
  /// In no order, and few enough to be looked through.
  case few([NSManagedObject])
  case unordered([ObjectIdentifier: NSManagedObject])
  case ordered([NSManagedObject], Set<ObjectIdentifier>)

  private static let most = 8

  init(_ objects: [NSManagedObject], isOrdered: Bool) {
    if isOrdered {
      self = .ordered([], [])
      for object in objects { insert(object) }
    } else if objects.count <= Self.most {
      self = .few(objects)
      if Self.hasRepeated(objects) {
        self = .few([])
        for object in objects { insert(object) }
      }
    } else {
      self = Self.many(objects)
    }
  }

  private static func many(_ objects: [NSManagedObject]) -> RelationshipMembers {
    var members: [ObjectIdentifier: NSManagedObject] = [:]
    members.reserveCapacity(objects.count)
    for object in objects { members[ObjectIdentifier(object)] = object }
    return .unordered(members)
  }

  private static func hasRepeated(_ objects: [NSManagedObject]) -> Bool {
    for (index, object) in objects.enumerated() where isIn(objects[..<index], object) { return true }
    return false
  }

  private static func isIn(_ objects: some Sequence<NSManagedObject>, _ object: NSManagedObject) -> Bool {
    objects.contains { $0 === object }
  }

  var objects: [NSManagedObject] {
    switch self {
    case .few(let objects): objects
    case .unordered(let members): Array(members.values)
    case .ordered(let objects, _): objects
    }
  }

  var count: Int {
    switch self {
    case .few(let objects): objects.count
    case .unordered(let members): members.count
    case .ordered(let objects, _): objects.count
    }
  }

  func contains(_ object: NSManagedObject) -> Bool {
    switch self {
    case .few(let objects): Self.isIn(objects, object)
    case .unordered(let members): members[ObjectIdentifier(object)] != nil
    case .ordered(_, let identities): identities.contains(ObjectIdentifier(object))
    }
  }

  /// Puts an object in, at the end of an ordered relationship, unless it is there.
  mutating func insert(_ object: NSManagedObject) {
    switch consume self {
    case .few(var objects):
      if !Self.isIn(objects, object) { objects.append(object) }
      self = objects.count <= Self.most ? .few(objects) : Self.many(objects)
    case .unordered(var members):
      members[ObjectIdentifier(object)] = object
      self = .unordered(members)
    case .ordered(var objects, var identities):
      if identities.insert(ObjectIdentifier(object)).inserted { objects.append(object) }
      self = .ordered(objects, identities)
    }
  }

  mutating func remove(_ object: NSManagedObject) {
    switch consume self {
    case .few(var objects):
      objects.removeAll { $0 === object }
      self = .few(objects)
    case .unordered(var members):
      members[ObjectIdentifier(object)] = nil
      self = .unordered(members)
    case .ordered(var objects, var identities):
      if identities.remove(ObjectIdentifier(object)) != nil { objects.removeAll { $0 === object } }
      self = .ordered(objects, identities)
    }
  }
}
