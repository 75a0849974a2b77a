import CoreData
import Foundation

/// The members that a class made at run time adds to the properties of its entity. The library makes such a
/// class on Apple's platforms.
struct EntityMembers {
  var accessors: [String: CoreStoreManagedObject.CustomGetterSetter]
  var initializers: [CoreStoreManagedObject.CustomInitializer]
}

/// The class of all objects whose entities are described in code. It replaces the library's class for each entity.
class CoreStoreManagedObject: NSManagedObject {
  typealias CustomGetter = (_ rawObject: Any) -> Any?
  typealias CustomSetter = (_ rawObject: Any, _ newValue: Any?) -> Void
  typealias CustomInitializer = (_ rawObject: Any) -> Void
  typealias CustomGetterSetter = (getter: CustomGetter?, setter: CustomSetter?)

  nonisolated(unsafe) private static var members: [DynamicEntity: EntityMembers] = [:]
  private static let lock = NSLock()

  static func register(_ entityMembers: EntityMembers, for entity: DynamicEntity) {
    lock.withLock { members[entity] = members[entity] ?? entityMembers }
  }

  private static func members(of entity: NSEntityDescription) -> EntityMembers? {
    guard let dynamicEntity = entity.coreStoreEntity else { return nil }
    return lock.withLock { members[dynamicEntity] }
  }

  /// The first result among the entity and its ancestors.
  private func search<Found>(_ found: (EntityMembers) -> Found?) -> Found? {
    var next: NSEntityDescription? = entity
    while let entity = next {
      if let found = Self.members(of: entity).flatMap(found) { return found }
      next = entity.superentity
    }
    return nil
  }

  override func awakeFromInsert() {
    Self.members(of: entity)?.initializers.forEach { $0(self) }
  }

  override func value(forKey key: String) -> Any? {
    if let getter = search({ $0.accessors[key]?.getter }) { return getter(self) }
    return super.value(forKey: key)
  }

  override func setValue(_ value: Any?, forKey key: String) {
    if let setter = search({ $0.accessors[key]?.setter }) { return setter(self, value) }
    willChangeValue(forKey: key)
    super.setValue(value, forKey: key)
    didChangeValue(forKey: key)
  }

  // MARK: - Observers of keys

  private struct Observation {
    weak var observer: KeyValueObserver?
    var key: String
    var options: NSKeyValueObservingOptions
    var oldValue: Any?
  }

  private var observations: [Observation] = []

  func addObserver(
    _ observer: KeyValueObserver,
    forKeyPath key: String,
    options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    observations.append(Observation(observer: observer, key: key, options: options))
    if options.contains(.initial) { tell(observations[observations.count - 1], isPrior: false) }
  }

  func removeObserver(_ observer: KeyValueObserver, forKeyPath key: String, context: UnsafeMutableRawPointer?) {
    observations.removeAll { $0.observer == nil || $0.observer === observer && $0.key == key }
  }

  override func willChangeValue(forKey key: String) {
    super.willChangeValue(forKey: key)
    for index in observations.indices where isAffected(observations[index].key, by: key) {
      observations[index].oldValue = value(forKey: observations[index].key)
      if observations[index].options.contains(.prior) { tell(observations[index], isPrior: true) }
    }
  }

  override func didChangeValue(forKey key: String) {
    super.didChangeValue(forKey: key)
    for observation in observations where isAffected(observation.key, by: key) {
      tell(observation, isPrior: false)
    }
  }

  private func isAffected(_ observed: String, by key: String) -> Bool {
    observed == key || entity.keyPathsByAffectedKeyPaths[observed]?.contains(key) == true
  }

  private func tell(_ observation: Observation, isPrior: Bool) {
    var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
    if isPrior { change[.notificationIsPriorKey] = true }
    if observation.options.contains(.old) { change[.oldKey] = observation.oldValue ?? NSNull() }
    if observation.options.contains(.new), !isPrior {
      change[.newKey] = value(forKey: observation.key) ?? NSNull()
    }
    observation.observer?.observeValue(forKeyPath: observation.key, of: self, change: change, context: nil)
  }
}
