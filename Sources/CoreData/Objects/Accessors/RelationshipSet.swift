import Foundation

/// A to-many relationship as a mutable set: what `mutableSetValue(forKey:)` answers.
final class RelationshipSet: NSMutableSet {
  private let owner: NSManagedObject
  private let index: Int

  init(owner: NSManagedObject, index: Int) {
    self.owner = owner
    self.index = index
    super.init(capacity: 0)
  }

  /// A proxy of its own is not archived; Foundation asks for the initialisers all the same.
  required init?(coder: NSCoder) { nil }
  required init(capacity: Int) {
    fatalError("a relationship's set is made by mutableSetValue(forKey:); make an NSMutableSet instead.")
  }

  override var count: Int { owner.loadedState(index).members?.count ?? 0 }

  override func member(_ object: Any) -> Any? {
    guard let object = object as? NSManagedObject,
      owner.loadedState(index).members?.contains(object) == true
    else { return nil }
    return object
  }

  override func objectEnumerator() -> NSEnumerator { NSArray(array: owner.members(index)).objectEnumerator() }

  override var allObjects: [Any] { owner.members(index) }

  override func add(_ object: Any) { owner.insert(managed(object), into: index) }

  override func remove(_ object: Any) { owner.remove(managed(object), from: index) }

  private func managed(_ object: Any) -> NSManagedObject {
    if let object = object as? NSManagedObject { return object }
    fatalError("\(owner.describeIdentity()): a relationship takes managed objects, and not \(object).")
  }
}

/// An ordered to-many relationship as a mutable ordered set: what `mutableOrderedSetValue(forKey:)`
/// answers.
final class RelationshipOrderedSet: NSMutableOrderedSet {
  private let owner: NSManagedObject
  private let relationship: Int

  init(owner: NSManagedObject, index: Int) {
    self.owner = owner
    relationship = index
    super.init(capacity: 0)
  }

  required init?(coder: NSCoder) { nil }
  required override init(capacity: Int) {
    fatalError(
      "a relationship's set is made by mutableOrderedSetValue(forKey:); make an NSMutableOrderedSet instead."
    )
  }
  required convenience init(arrayLiteral elements: Any...) { self.init(capacity: elements.count) }

  private var members: [NSManagedObject] {
    get { owner.members(relationship) }
    set { owner.replaceMembers(newValue, relationship) }
  }

  override var count: Int { members.count }

  override func object(at index: Int) -> Any { members[checked(index, in: count)] }

  override func index(of object: Any) -> Int {
    members.firstIndex { $0 === object as AnyObject } ?? NSNotFound
  }

  override func contains(_ object: Any) -> Bool { index(of: object) != NSNotFound }

  override func add(_ object: Any) { insert(object, at: count) }

  override func remove(_ object: Any) {
    let index = index(of: object)
    if index != NSNotFound { removeObject(at: index) }
  }

  override func addObjects(from array: [Any]) {
    for object in array { add(object) }
  }

  override func removeObjects(in array: [Any]) {
    for object in array { remove(object) }
  }

  override func exchangeObject(at one: Int, withObjectAt other: Int) {
    members.swapAt(checked(one, in: count), checked(other, in: count))
  }

  override func removeAllObjects() { members = [] }

  override func insert(_ object: Any, at index: Int) {
    let object = managed(object)
    // The place behind the last one is one too.
    _ = checked(index, in: count + 1)
    guard !members.contains(where: { $0 === object }) else { return }
    members.insert(object, at: index)
  }

  override func removeObject(at index: Int) { members.remove(at: checked(index, in: count)) }

  override func replaceObject(at index: Int, with object: Any) {
    members[checked(index, in: count)] = managed(object)
  }

  private func checked(_ index: Int, in places: Int) -> Int {
    if index >= 0, index < places { return index }
    fatalError(
      """
      \(owner.describeIdentity()).\(owner.layout.toMany[relationship].name): there is no place \(index) among its \(count) \
      objects; \(places == 0 ? "put objects in first" : "give an index from 0 to \(places - 1)").
      """
    )
  }

  private func managed(_ object: Any) -> NSManagedObject {
    if let object = object as? NSManagedObject { return object }
    fatalError("\(owner.describeIdentity()): a relationship takes managed objects, and not \(object).")
  }
}
