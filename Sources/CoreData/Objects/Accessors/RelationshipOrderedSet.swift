import Foundation

/// An ordered to-many relationship as a mutable ordered set: what `mutableOrderedSetValue(forKey:)`
/// answers.
///
/// Several members of `NSOrderedSet` on Linux read its storage and cannot be overridden, among them
/// `firstObject`, `objectEnumerator()` and with it `for in`, `array`, and `filtered(using:)`.
/// Therefore the storage mirrors the relationship: ``NSManagedObject/heldOrderedSet(_:)`` finds the
/// set at each change of the relationship. The members that would change the storage alone are
/// overridden to change the relationship.
final class RelationshipOrderedSet: NSMutableOrderedSet {
  private let owner: NSManagedObject
  private let relationship: Int
  /// True while the storage is changed: the members that Foundation asks meanwhile are about the
  /// storage.
  private var isMirroring = false

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

  func mirrorRemoval(of object: NSManagedObject) {
    isMirroring = true
    super.remove(object)
    isMirroring = false
  }

  // MARK: - Reading

  override var count: Int { isMirroring ? super.count : members.count }

  override func object(at index: Int) -> Any {
    isMirroring ? super.object(at: index) : members[checked(index, in: count)]
  }

  override func index(of object: Any) -> Int {
    if isMirroring { return super.index(of: object) }
    guard let object = object as? NSManagedObject else { return NSNotFound }
    return members.firstIndex { $0 === object } ?? NSNotFound
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
    var members = members
    // The place behind the last one is one too.
    _ = checked(index, in: members.count + 1)
    guard !contains(object) else { return }
    if index == members.count { return add(object) }
    members.insert(object, at: index)
    self.members = members
  }

  override func remove(_ object: Any) {
    if let object = object as? NSManagedObject, contains(object) { owner.remove(object, from: relationship) }
  }

  override func removeObject(at index: Int) { remove(members[checked(index, in: count)]) }

  override func removeObjects(in array: [Any]) {
    for object in array { remove(object) }
  }

  override func removeAllObjects() { members = [] }

  override func replaceObject(at index: Int, with object: Any) {
    members[checked(index, in: count)] = managed(object)
  }

  override func exchangeObject(at one: Int, withObjectAt other: Int) {
    members.swapAt(checked(one, in: count), checked(other, in: count))
  }

  // Foundation's own enumerate the argument while they change the set, which stops the program when
  // both are the same.

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
