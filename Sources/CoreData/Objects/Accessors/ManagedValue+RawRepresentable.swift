import Foundation

extension NSManagedObject {
  /// The value of an attribute that an enumeration or another type stands for by its raw values.
  ///
  /// A value of the store that stands for nothing stops the program; a property that is optional
  /// reads it as `nil`.
  public final func managedValue<Value: RawRepresentable>(_ key: StaticString) -> Value
  where Value.RawValue: ManagedSlotValue {
    let rawValue = Value.RawValue.managedValue(of: self, forKey: key)
    if let value = Value(rawValue: rawValue) { return value }
    if layout.recorder != nil, let value = anyValue(Value.self) { return value }
    fatalError(
      """
      \(layout.entity.name ?? "").\(key) is \(rawValue), which stands for no \(Value.self); declare the property \
      as \(Value.self)?, or give the attribute a default value.
      """
    )
  }

  /// The value of an attribute that a type stands for by its raw values, `nil` where there is none.
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
