import Foundation

extension NSManagedObject {
  /// The value of a property of any other type: `NSNumber`, `NSDate` and their like, and what
  /// transformable attributes hold, which may be a class or a structure.
  @_disfavoredOverload
  public final func managedValue<Value>(_ key: StaticString) -> Value {
    let value = untypedValue(key)
    if let typed = value as? Value { return typed }
    // A cast of no value gives nil where `Value` is optional, and fails where it is not.
    if value == nil, let none = Any?.none as? Value { return none }
    if layout.recorder != nil, let value = anyValue(Value.self) { return value }
    if let none = substitute(for: value, key: key, type: Value.self) { return none }
    failCast(value, to: Value.self, key: key)
  }

  /// Sets a property of any other type.
  @_disfavoredOverload
  public final func setManagedValue<Value>(_ value: Value, _ key: StaticString) {
    writeValue(unwrapped(value), forKey: "\(key)")
  }

  /// The value of a property without change notifications: what `primitive` accessors such as `primitiveTitle` read.
  public final func primitiveManagedValue<Value>(_ key: StaticString) -> Value {
    let value = layout.recorder?.recordPrimitive("\(key)", in: self) == true ? nil : primitiveValue(forKey: "\(key)")
    if let typed = value as? Value { return typed }
    if value == nil, let none = Any?.none as? Value { return none }
    if layout.recorder != nil, let value = anyValue(Value.self) { return value }
    if let none = substitute(for: value, key: key, type: Value.self) { return none }
    failCast(value, to: Value.self, key: key)
  }

  /// Sets a property without change notifications: what `primitive` accessors such as `primitiveTitle` write.
  public final func setPrimitiveManagedValue<Value>(_ value: Value, _ key: StaticString) {
    setPrimitiveValue(unwrapped(value), forKey: "\(key)")
  }

  private final func untypedValue(_ key: StaticString) -> Any? {
    let index = layout.names.index(of: key) ?? recordedIndex(key, kind: .object)
    guard index >= 0 else { return answer(-1 - index) }
    let base = currentBase(for: index)
    guard EntityLayout.hasValue(base, slot: index) else {
      checkFailure(index)
      return nil
    }
    if case .reference = layout.kind(index) { return destination(index) }
    return publicValue(currentRow.value(index), slot: index)
  }

  private final func failCast(_ value: Any?, to type: Any.Type, key: StaticString) -> Never {
    let name = "\(layout.entity.name ?? "").\(key)"
    guard let value else {
      fatalError("\(name) has no value, and the property that reads it is not optional; declare it as \(type)?.")
    }
    fatalError("\(name) is a \(Swift.type(of: value)), and the property wants a \(type); give both the same type.")
  }
}

/// Makes a value for a property of an unknown type, in an object that records the names of a key path: an empty
/// collection, or any case of an enumeration of integers; `nil` when no value can be made.
func anyValue<Value>(_ type: Value.Type) -> Value? {
  func empty<Literal: ExpressibleByArrayLiteral>(_ type: Literal.Type) -> Any { [] as Literal }
  func someCase<Raw: RawRepresentable>(_ type: Raw.Type) -> Any? {
    guard let integers = Raw.RawValue.self as? any FixedWidthInteger.Type else { return nil }
    return (0..<100).lazy.compactMap {
      (integer($0, type: integers) as? Raw.RawValue).flatMap(Raw.init(rawValue:))
    }
    .first
  }
  func integer<Integer: FixedWidthInteger>(_ value: Int, type: Integer.Type) -> Any { Integer(value) }
  if let literal = type as? any ExpressibleByArrayLiteral.Type { return empty(literal) as? Value }
  if let raw = type as? any RawRepresentable.Type { return someCase(raw) as? Value }
  return nil
}

extension NSManagedObject {
  /// The value of an attribute as an enumeration or another type that has its raw values.
  ///
  /// If the store's raw value is not one of the type's, the program stops; an optional property
  /// reads such a value as `nil`.
  public final func managedValue<Value: RawRepresentable>(_ key: StaticString) -> Value
  where Value.RawValue: ManagedSlotValue {
    let rawValue = Value.RawValue.managedValue(of: self, forKey: key)
    if let value = Value(rawValue: rawValue) { return value }
    if layout.recorder != nil, let value = anyValue(Value.self) { return value }
    fatalError(
      """
      \(layout.entity.name ?? "").\(key) is \(rawValue), which is not a value of \(Value.self); declare the property \
      as \(Value.self)?, or give the attribute a default value.
      """
    )
  }

  /// The value of an attribute as a type that has its raw values; `nil` if there is no value.
  public final func managedValue<Value: RawRepresentable>(_ key: StaticString) -> Value?
  where Value.RawValue: ManagedSlotValue {
    Value.RawValue.managedValueIfPresent(of: self, forKey: key).flatMap(Value.init(rawValue:))
  }

  /// Sets an attribute to a raw value.
  public final func setManagedValue<Value: RawRepresentable>(_ value: Value, _ key: StaticString)
  where Value.RawValue: ManagedSlotValue {
    Value.RawValue.setManagedValue(value.rawValue, of: self, forKey: key)
  }

  /// Sets an attribute to a raw value or takes its value away.
  public final func setManagedValue<Value: RawRepresentable>(_ value: Value?, _ key: StaticString)
  where Value.RawValue: ManagedSlotValue {
    Value.RawValue.setManagedValueIfPresent(value?.rawValue, of: self, forKey: key)
  }
}

extension NSManagedObject {
  /// Tells the context of a value that cannot be made into an object.
  final func reportUnreadable(_ archive: UnreadableArchive, slot: Int) {
    guard let attribute = layout.slots[slot].attribute else { return }
    report(archive.error(object: describeIdentity(), attribute: attribute), of: attribute)
  }

  /// The substitute for a transformable value that does not have the property's type: nil, or an
  /// empty collection if the property is not optional. The error is recorded in the context,
  /// because the contents of a file must not stop the program.
  ///
  /// - Returns: `nil` for values of other attributes, and for types that have neither.
  final func substitute<Value>(for value: Any?, key: StaticString, type: Value.Type) -> Value? {
    guard let slot = layout.names.index(of: key), slot >= 0, let attribute = layout.slots[slot].attribute,
      attribute.attributeType == .transformableAttributeType,
      let none = Any?.none as? Value ?? anyValue(type)
    else { return nil }
    if case .object(let archive as UnreadableArchive)? = rowAtHand?.value(slot) {
      reportUnreadable(archive, slot: slot)
    } else if let value {
      report(
        StoreFailure.error(
          CocoaError.coderReadCorrupt.rawValue,
          message: """
            \(attribute.modelPath) of \(describeIdentity()) is a \(Swift.type(of: value)), and the property wants a \
            \(type); give both the same type.
            """
        ),
        of: attribute
      )
    } else if rowAtHand?.failure(slot) == nil {
      // If the value could not be read, the error was recorded when the value was requested.
      return nil
    }
    return none
  }

  /// Records in the context that a number does not fit the type of a property.
  final func reportTooLarge(_ value: Int64, key: StaticString, type: Any.Type) {
    guard let slot = layout.names.index(of: key), slot >= 0, let attribute = layout.slots[slot].attribute
    else { return }
    report(
      StoreFailure.error(
        CocoaError.validationNumberTooLarge.rawValue,
        message: """
          \(attribute.modelPath) of \(describeIdentity()) is \(value), and the property that reads it is \(type), which has \
          no room for that; declare the property as Int64, or set a smaller number.
          """
      ),
      of: attribute
    )
  }

  private final func report(_ error: any Error, of attribute: NSAttributeDescription) {
    registry.context?.recordReadFailure(error, of: self, key: attribute.name)
  }
}
