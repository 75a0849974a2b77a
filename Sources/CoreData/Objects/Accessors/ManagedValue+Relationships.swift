public import Foundation

extension NSManagedObject: ManagedSlotValue {}

extension ManagedSlotValue where Self: NSManagedObject {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Self? {
    let slot = object.slot(key, kind: .reference)
    guard let destination = object.destination(slot) ?? object.recordedDestination(Self.self) else { return nil }
    return object.typed(destination, as: Self.self, key: key)
  }

  public static func setManagedValueIfPresent(_ value: Self?, of object: NSManagedObject, forKey key: StaticString) {
    object.setDestination(value, slot: object.slot(key, kind: .reference))
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
    if let answer = state.answer, let set = answer as? Self { return set }
    let members = state.members?.objects ?? []
    for member in members { _ = object.typed(member, as: Element.self, key: key) }
    let set = members.asSet(assumingClass: Element.self)
    if state.members != nil { state.answer = set }
    return set
  }

  public static func setManagedValueIfPresent(_ value: Self?, of object: NSManagedObject, forKey key: StaticString) {
    object.replaceMembers(value.map(Array.init) ?? [], index: object.toMany(key))
  }

  public static var valueWhenAbsent: Self { [] }
}

extension Array: ManagedValue where Element: NSManagedObject {}

extension Array: ManagedSlotValue where Element: NSManagedObject {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Self? {
    object.members(object.toMany(key)).map { object.typed($0, as: Element.self, key: key) }
  }

  public static func setManagedValueIfPresent(_ value: Self?, of object: NSManagedObject, forKey key: StaticString) {
    object.replaceMembers(value ?? [], index: object.toMany(key))
  }

  public static var valueWhenAbsent: Self { [] }
}

extension NSSet: ManagedSlotValue {}

extension ManagedSlotValue where Self: NSSet {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Self? {
    foundation(of: object, key: key, NSMutableSet(), object.mutableSet)
  }

  public static func setManagedValueIfPresent(_ value: Self?, of object: NSManagedObject, forKey key: StaticString) {
    object.replaceMembers(object.managed(value?.allObjects ?? [], key: key), index: object.toMany(key))
  }

  public static var valueWhenAbsent: Self { failAbsent(Self.self) }
}

extension NSOrderedSet: ManagedSlotValue {}

extension ManagedSlotValue where Self: NSOrderedSet {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Self? {
    foundation(of: object, key: key, NSMutableOrderedSet(), object.mutableOrderedSet)
  }

  public static func setManagedValueIfPresent(_ value: Self?, of object: NSManagedObject, forKey key: StaticString) {
    object.replaceMembers(object.managed(value?.array ?? [], key: key), index: object.toMany(key))
  }

  public static var valueWhenAbsent: Self { failAbsent(Self.self) }
}

/// The class that the model gives a relationship, `NSSet` or `NSOrderedSet`, or its mutable subclass.
///
/// A mutable set is the one of `mutableSetValue(forKey:)` or `mutableOrderedSetValue(forKey:)`, so that a program that
/// adds an object to it adds the object to the relationship. A copy would lose the addition.
private func foundation<Mutable: NSObject, Wanted: NSObject>(
  of object: NSManagedObject,
  key: StaticString,
  _ empty: @autoclosure () -> Mutable,
  _ makeMutable: (Int) -> Mutable
) -> Wanted {
  let index = object.toMany(key)
  // An object that only records names has no model, so it is unknown which of its relationships are ordered.
  let onlyTellsNames = object.layout.recorder != nil
  if !onlyTellsNames, Wanted.self is Mutable.Type,
    object.layout.toMany[index].isOrdered == (Mutable.self is NSOrderedSet.Type),
    let wanted = makeMutable(index) as? Wanted
  {
    return wanted
  }
  let answer = object.answer(index)
  if let wanted = answer as? Wanted { return wanted }
  if onlyTellsNames, let wanted = empty() as? Wanted { return wanted }
  fatalError(
    """
    the relationship \(key) is read as \(Wanted.self), and is \(answer is NSSet ? "not " : "")ordered in the model; \
    declare it as \(answer is NSSet ? "NSSet" : "NSOrderedSet").
    """
  )
}

/// A to-many relationship always has a set, even if an empty one.
private func failAbsent<Wanted>(_ type: Wanted.Type) -> Never {
  fatalError("a to-many relationship that is read as \(Wanted.self) has no set.")
}

extension NSManagedObject {
  /// The number of the to-many relationship that a typed accessor means.
  final func toMany(_ key: StaticString) -> Int {
    if let index = layout.names.index(of: key), index < 0 { return -1 - index }
    return -1 - recordedIndex(key, kind: nil)
  }

  final func managed(_ objects: [Any], key: StaticString) -> [NSManagedObject] {
    let managed = objects.compactMap { $0 as? NSManagedObject }
    if managed.count == objects.count { return managed }
    fatalError("\(layout.entity.name ?? "").\(key) takes managed objects; \(objects) are not all such.")
  }

  final func typed<Object: NSManagedObject>(
    _ object: NSManagedObject,
    as type: Object.Type,
    key: StaticString
  ) -> Object {
    // Most objects have exactly this class, which is found without a search through the superclasses.
    if Swift.type(of: object) == type { return unsafeDowncast(object, to: type) }
    if let object = object as? Object { return object }
    fatalError(
      """
      \(layout.entity.name ?? "").\(key) leads to an object of class \(Swift.type(of: object)), and the property \
      wants \(Object.self); set the class of entity \(object.layout.entity.name ?? "") to \(Object.self).
      """
    )
  }
}
