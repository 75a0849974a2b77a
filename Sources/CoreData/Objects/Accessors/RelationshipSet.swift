import Foundation

/// A to-many relationship as a mutable set: what `mutableSetValue(forKey:)` answers.
///
/// The class overrides the members through which Foundation's other members on Linux read and
/// change a subclass. It also overrides the members that read the storage of `NSSet` directly:
/// `description`, `isEqual(_:)` and the copies. That storage stays empty, because no subclass of
/// `NSMutableSet` can fill it. Documentation/Deviations.md names the two places that still read it.
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

  /// The objects that the relationship has now, in a set of Foundation's own class.
  private var plain: NSSet { NSSet(array: owner.members(index)) }

  // MARK: - Reading

  override var count: Int { owner.loadedState(index).members?.count ?? 0 }

  override func member(_ object: Any) -> Any? {
    guard let object = object as? NSManagedObject,
      owner.loadedState(index).members?.contains(object) == true
    else { return nil }
    return object
  }

  override func objectEnumerator() -> NSEnumerator { NSArray(array: owner.members(index)).objectEnumerator() }

  override var allObjects: [Any] { owner.members(index) }

  override func copy(with zone: NSZone? = nil) -> Any { plain }

  override func mutableCopy(with zone: NSZone? = nil) -> Any { plain.mutableCopy() }

  override var description: String { plain.description }

  override func description(withLocale locale: Locale?) -> String { plain.description(withLocale: locale) }

  override func isEqual(_ object: Any?) -> Bool {
    if let other = object as? RelationshipSet { return plain.isEqual(other.plain) }
    return plain.isEqual(object)
  }

  override var hash: Int { plain.hash }

  // MARK: - Changing

  override func add(_ object: Any) { owner.insert(managed(object), into: index) }

  override func remove(_ object: Any) {
    // Nothing else can be in the relationship.
    if let object = object as? NSManagedObject { owner.remove(object, from: index) }
  }

  override func removeAllObjects() { owner.replaceMembers([], index: index) }

  override func setSet(_ otherSet: Set<AnyHashable>) { owner.replaceMembers(otherSet.map(managed), index: index) }

  private func managed(_ object: Any) -> NSManagedObject {
    if let object = object as? NSManagedObject { return object }
    fatalError("\(owner.describeIdentity()): a relationship takes managed objects, and not \(object).")
  }
}
