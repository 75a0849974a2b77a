public import Foundation

extension NSManagedObject: ManagedSlotValue {}

extension ManagedSlotValue where Self: NSManagedObject {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Self? {
    guard let destination = object.destination(object.slot(key, .reference)) else { return nil }
    return object.typed(destination, as: Self.self, key)
  }

  public static func setManagedValueIfPresent(
    _ value: Self?, of object: NSManagedObject, forKey key: StaticString
  ) {
    object.setDestination(value, object.slot(key, .reference))
  }

  public static var valueWhenAbsent: Self {
    fatalError(
      """
      a relationship to \(Self.self) has no destination, and the property that reads it is not optional; declare \
      it as \(Self.self)?.
      """
    )
  }
}

extension Set: ManagedValue where Element: NSManagedObject {}

extension Set: ManagedSlotValue where Element: NSManagedObject {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Self? {
    let state = object.loadedState(object.toMany(key))
    if let answer = state.answer as? Self { return answer }
    let set = Set((state.members?.objects ?? []).map { object.typed($0, as: Element.self, key) })
    state.answer = set
    return set
  }

  public static func setManagedValueIfPresent(
    _ value: Self?, of object: NSManagedObject, forKey key: StaticString
  ) {
    object.replaceMembers(value.map(Array.init) ?? [], object.toMany(key))
  }

  public static var valueWhenAbsent: Self { [] }
}

extension Array: ManagedValue where Element: NSManagedObject {}

extension Array: ManagedSlotValue where Element: NSManagedObject {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Self? {
    object.members(object.toMany(key)).map { object.typed($0, as: Element.self, key) }
  }

  public static func setManagedValueIfPresent(
    _ value: Self?, of object: NSManagedObject, forKey key: StaticString
  ) {
    object.replaceMembers(value ?? [], object.toMany(key))
  }

  public static var valueWhenAbsent: Self { [] }
}

extension NSSet: ManagedSlotValue {}

extension ManagedSlotValue where Self: NSSet {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Self? {
    let objects = object.members(object.toMany(key))
    return Self(objects: objects, count: objects.count)
  }

  public static func setManagedValueIfPresent(
    _ value: Self?, of object: NSManagedObject, forKey key: StaticString
  ) {
    object.replaceMembers(object.managed(value?.allObjects ?? [], key), object.toMany(key))
  }

  public static var valueWhenAbsent: Self { Self() }
}

extension NSOrderedSet: ManagedSlotValue {}

extension ManagedSlotValue where Self: NSOrderedSet {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Self? {
    Self(array: object.members(object.toMany(key)))
  }

  public static func setManagedValueIfPresent(
    _ value: Self?, of object: NSManagedObject, forKey key: StaticString
  ) {
    object.replaceMembers(object.managed(value?.array ?? [], key), object.toMany(key))
  }

  public static var valueWhenAbsent: Self { Self() }
}

extension NSManagedObject {
  /// The number of the to-many relationship that a typed accessor means.
  final func toMany(_ key: StaticString) -> Int {
    if let index = layout.names.index(of: key), index < 0 { return -1 - index }
    failAccess(key)
  }

  final func managed(_ objects: [Any], _ key: StaticString) -> [NSManagedObject] {
    let managed = objects.compactMap { $0 as? NSManagedObject }
    if managed.count == objects.count { return managed }
    fatalError("\(layout.entity.name ?? "").\(key) takes managed objects; \(objects) are not all such.")
  }

  final func typed<Object: NSManagedObject>(
    _ object: NSManagedObject, as type: Object.Type, _ key: StaticString
  ) -> Object {
    if let object = object as? Object { return object }
    fatalError(
      """
      \(layout.entity.name ?? "").\(key) leads to an object of class \(Swift.type(of: object)), and the property \
      wants \(Object.self); set the class of entity \(object.layout.entity.name ?? "") to \(Object.self).
      """
    )
  }
}
