import Foundation

/// A type that a property of a managed object's class can have.
///
/// Classes conform by inheriting from `NSManagedObject`; there is no need to conform other types.
public protocol ManagedValue {
  /// The value of a property of an object.
  static func managedValue(of object: NSManagedObject, forKey key: StaticString) -> Self
  /// Sets a property of an object.
  static func setManagedValue(_ value: Self, of object: NSManagedObject, forKey key: StaticString)
}

/// A type of values that a slot of a row holds, with or without a value.
public protocol ManagedSlotValue: ManagedValue {
  /// The value of a property of an object, `nil` where there is none.
  static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Self?
  /// Sets a property of an object or takes its value away.
  static func setManagedValueIfPresent(_ value: Self?, of object: NSManagedObject, forKey key: StaticString)
  /// The value of a property that is not optional in Swift while the object has none: zero or
  /// something empty, as Apple's accessors answer.
  static var valueWhenAbsent: Self { get }
}

extension ManagedSlotValue {
  public static func managedValue(of object: NSManagedObject, forKey key: StaticString) -> Self {
    managedValueIfPresent(of: object, forKey: key) ?? valueWhenAbsent
  }

  public static func setManagedValue(_ value: Self, of object: NSManagedObject, forKey key: StaticString) {
    setManagedValueIfPresent(value, of: object, forKey: key)
  }
}

extension Optional: ManagedValue where Wrapped: ManagedSlotValue {
  public static func managedValue(of object: NSManagedObject, forKey key: StaticString) -> Wrapped? {
    Wrapped.managedValueIfPresent(of: object, forKey: key)
  }

  public static func setManagedValue(_ value: Wrapped?, of object: NSManagedObject, forKey key: StaticString) {
    Wrapped.setManagedValueIfPresent(value, of: object, forKey: key)
  }
}

extension NSManagedObject {
  /// The value of a property, read straight from the object's row: what the accessors of subclasses call.
  @inlinable
  public final func managedValue<Value: ManagedValue>(_ key: StaticString) -> Value {
    Value.managedValue(of: self, forKey: key)
  }

  /// Sets a property, and the inverse with a relationship: what the accessors of subclasses call.
  @inlinable
  public final func setManagedValue<Value: ManagedValue>(_ value: Value, _ key: StaticString) {
    Value.setManagedValue(value, of: self, forKey: key)
  }
}

extension NSManagedObject {
  /// The slot that a typed accessor means; a key or a type that the model does not have stops the program.
  @inline(__always)
  final func slot(_ key: StaticString, kind: SlotKind) -> Int {
    if let index = layout.names.index(of: key), index >= 0, layout.kind(index) == kind { return index }
    return recordedIndex(key, kind: kind)
  }

  /// The slot of a property in an object that records the names of a key path.
  @inline(never)
  final func recordedIndex(_ key: StaticString, kind: SlotKind?) -> PropertyNames.Index {
    if let index = layout.recorder?.recordDeclared("\(key)", kind: kind, in: self) { return index }
    failAccess(key)
  }

  /// The destination of a relationship that has none, in an object that records the names of a key path.
  @inline(never)
  final func recordedDestination(_ objectClass: NSManagedObject.Type) -> NSManagedObject? {
    layout.recorder?.destination(objectClass, of: self)
  }

  @inline(never)
  final func failAccess(_ key: StaticString) -> Never {
    guard layout.places["\(key)"] != nil else { failUnknown("\(key)") }
    fatalError(
      """
      \(layout.entity.name ?? "").\(key) is of another type in the model than the property of \
      \(Swift.type(of: self)) that reads it; give both the same type.
      """
    )
  }

  /// Reads a value that the row keeps without a conversion.
  @inline(__always)
  final func read<Value>(_ type: Value.Type, kind: SlotKind, key: StaticString) -> Value? {
    let slot = slot(key, kind: kind)
    let base = currentBase(for: slot)
    guard EntityLayout.hasValue(base, slot: slot) else {
      checkFailure(slot)
      return nil
    }
    return (base + layout.offset(slot)).assumingMemoryBound(to: type).pointee
  }

  /// Writes a value that the row keeps without a conversion.
  @inline(__always)
  final func write<Value>(_ value: Value?, kind: SlotKind, key: StaticString) {
    let slot = slot(key, kind: kind)
    announceChange(slot)
    let row = writableRow()
    if let value {
      row.replace(value, slot: slot, kind: kind)
    } else {
      row.setNull(slot)
    }
    recordChange()
  }

  /// Sets an attribute from a row value.
  final func writeSlot(_ value: StoredValue, slot: Int) {
    announceChange(slot)
    writableRow().set(value, slot: slot)
    recordChange()
  }
}
