import Foundation

/// An ordered to-many relationship as a mutable ordered set: what `mutableOrderedSetValue(forKey:)` answers.
///
/// Several members of `NSOrderedSet` on Linux read its storage and cannot be overridden, among them `firstObject`,
/// `objectEnumerator()` and with it `for in`, `array`, and `filtered(using:)`. Therefore the storage mirrors the
/// relationship: ``NSManagedObject/heldOrderedSet(_:)`` finds the set at each change of the relationship. The members
/// that would change the storage alone are overridden to change the relationship.
final class RelationshipOrderedSet: NSMutableOrderedSet {
  private let owner: NSManagedObject
  private let relationship: Int
  /// True while the storage is changed: the members that Foundation asks meanwhile are about the storage.
  private var isMirroring = false

  init(owner: NSManagedObject, index: Int) {
    self.owner = owner
    relationship = index
    super.init(capacity: 0)
  }

  required init?(coder: NSCoder) { nil }
  required override init(capacity: Int) {
    fatalError("a relationship's set is made by mutableOrderedSetValue(forKey:); make an NSMutableOrderedSet instead.")
  }
  required convenience init(arrayLiteral elements: Any...) { self.init(capacity: elements.count) }

  private var members: [NSManagedObject] {
    get { owner.members(relationship) }
    set { owner.replaceMembers(newValue, index: relationship) }
  }

  // MARK: - Mirroring

  /// Makes the storage equal to the relationship.
  func mirror(_ objects: [NSManagedObject]) {
    isMirroring = true
    super.removeAllObjects()
    for object in objects { super.add(object) }
    isMirroring = false
  }

  /// Mirrors an object that was put at the end of the relationship.
  func mirrorAddition(of object: NSManagedObject) {
    isMirroring = true
    super.add(object)
    isMirroring = false
  }

  func mirrorInsertion(of object: NSManagedObject, at place: Int) {
    isMirroring = true
    super.insert(object, at: place)
    isMirroring = false
  }

  /// - Parameter place: the position of the object; `nil` if it has to be searched.
  func mirrorRemoval(of object: NSManagedObject, at place: Int?) {
    isMirroring = true
    if let place {
      super.removeObject(at: place)
    } else {
      super.remove(object)
    }
    isMirroring = false
  }

  func mirrorExchange(of one: Int, with other: Int) {
    isMirroring = true
    super.exchangeObject(at: one, withObjectAt: other)
    isMirroring = false
  }

  // MARK: - Reading

  override var count: Int { isMirroring ? super.count : owner.loadedState(relationship).members?.count ?? 0 }

  override func object(at index: Int) -> Any { isMirroring ? super.object(at: index) : member(at: index) }

  override func index(of object: Any) -> Int {
    if isMirroring { return super.index(of: object) }
    guard let object = object as? NSManagedObject else { return NSNotFound }
    return owner.loadedState(relationship).members?.place(of: object) ?? NSNotFound
  }

  override func contains(_ object: Any) -> Bool {
    if isMirroring { return super.contains(object) }
    guard let object = object as? NSManagedObject else { return false }
    return owner.loadedState(relationship).members?.contains(object) == true
  }

  override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: members) }

  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: members) }

  // MARK: - Changing

  override func add(_ object: Any) { owner.insert(managed(object), into: relationship) }

  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    for object in UnsafeBufferPointer(start: objects, count: count) { add(object) }
  }

  override func addObjects(from array: [Any]) {
    for object in array { add(object) }
  }

  override func insert(_ object: Any, at index: Int) {
    let object = managed(object)
    // An object may also be inserted after the last one.
    owner.insert(object, into: relationship, at: checked(index, in: count + 1))
  }

  override func remove(_ object: Any) {
    if let object = object as? NSManagedObject, contains(object) { owner.remove(object, from: relationship) }
  }

  override func removeObject(at index: Int) { owner.remove(member(at: index), from: relationship) }

  override func removeObjects(in array: [Any]) {
    for object in array { remove(object) }
  }

  override func removeAllObjects() { members = [] }

  override func replaceObject(at index: Int, with object: Any) {
    let object = managed(object)
    let former = member(at: index)
    if former === object { return }
    if contains(object) { return members[index] = object }
    owner.remove(former, from: relationship)
    owner.insert(object, into: relationship, at: index)
  }

  override func exchangeObject(at one: Int, withObjectAt other: Int) {
    owner.exchangeMembers(at: checked(one, in: count), with: checked(other, in: count), of: relationship)
  }

  // Foundation's own enumerate the argument while they change the set, which stops the program when both are the same.

  override func intersect(_ other: NSOrderedSet) { members = members.filter { other.contains($0) } }

  override func minus(_ other: NSOrderedSet) { removeObjects(in: other.array) }

  override func union(_ other: NSOrderedSet) { addObjects(from: other.array) }

  // MARK: - Sorting

  override func sortRange(
    _ range: NSRange,
    options: NSSortOptions = [],
    usingComparator comparator: (Any, Any) -> ComparisonResult
  ) {
    guard range.length > 0 else { return }
    var members = members
    let places = checked(range.location, in: count)...checked(range.location + range.length - 1, in: count)
    let sorted = NSArray(array: Array(members[places]))
      .sortedArray(options: options, usingComparator: comparator)
    members.replaceSubrange(places, with: sorted.map(managed))
    self.members = members
  }

  override func sort(using sortDescriptors: [NSSortDescriptor]) {
    members = NSArray(array: members).sortedArray(using: sortDescriptors).map(managed)
  }

  // MARK: - Arguments

  private func member(at index: Int) -> NSManagedObject {
    let state = owner.loadedState(relationship)
    let place = checked(index, in: state.members?.count ?? 0)
    return state.members?.object(at: place) ?? members[place]
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
