public import Foundation

extension FixedWidthInteger where Self: ManagedSlotValue {
  /// The value of a property of an object, `nil` where there is none.
  ///
  /// A number that does not fit the type reads as no value, and the error is recorded in the
  /// context: the next save throws it.
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Self? {
    guard let value = object.read(Int64.self, kind: .integer, key: key) else { return nil }
    if let exact = Self(exactly: value) { return exact }
    object.reportTooLarge(value, key: key, type: Self.self)
    return nil
  }

  /// Sets a property of an object or takes its value away.
  public static func setManagedValueIfPresent(_ value: Self?, of object: NSManagedObject, forKey key: StaticString) {
    object.write(value.map { Int64(truncatingIfNeeded: $0) }, kind: .integer, key: key)
  }

  /// The value of a property that is not optional in Swift while the object has none: zero.
  public static var valueWhenAbsent: Self { 0 }
}

extension Int: ManagedSlotValue {}
extension Int8: ManagedSlotValue {}
extension Int16: ManagedSlotValue {}
extension Int32: ManagedSlotValue {}

extension Int64: ManagedSlotValue {
  public static func managedValue(of object: NSManagedObject, forKey key: StaticString) -> Int64 {
    object.read(Int64.self, kind: .integer, key: key) ?? 0
  }
}

extension Bool: ManagedSlotValue {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Bool? {
    object.read(Int64.self, kind: .integer, key: key).map { $0 != 0 }
  }

  public static func setManagedValueIfPresent(_ value: Bool?, of object: NSManagedObject, forKey key: StaticString) {
    object.write(value.map { Int64($0 ? 1 : 0) }, kind: .integer, key: key)
  }

  public static var valueWhenAbsent: Bool { false }
}

extension Double: ManagedSlotValue {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Double? {
    object.read(Double.self, kind: .real, key: key)
  }

  public static func setManagedValueIfPresent(_ value: Double?, of object: NSManagedObject, forKey key: StaticString) {
    object.write(value, kind: .real, key: key)
  }

  public static var valueWhenAbsent: Double { 0 }
}

extension Float: ManagedSlotValue {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Float? {
    object.read(Double.self, kind: .real, key: key).map(Float.init)
  }

  public static func setManagedValueIfPresent(_ value: Float?, of object: NSManagedObject, forKey key: StaticString) {
    object.write(value.map(Double.init), kind: .real, key: key)
  }

  public static var valueWhenAbsent: Float { 0 }
}

extension Date: ManagedSlotValue {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Date? {
    object.read(Double.self, kind: .real, key: key).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  public static func setManagedValueIfPresent(_ value: Date?, of object: NSManagedObject, forKey key: StaticString) {
    object.write(value?.timeIntervalSinceReferenceDate, kind: .real, key: key)
  }

  public static var valueWhenAbsent: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension String: ManagedSlotValue {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> String? {
    object.read(String.self, kind: .text, key: key)
  }

  public static func setManagedValueIfPresent(_ value: String?, of object: NSManagedObject, forKey key: StaticString) {
    object.write(value, kind: .text, key: key)
  }

  public static var valueWhenAbsent: String { "" }
}

extension Data: ManagedSlotValue {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Data? {
    object.read(Data.self, kind: .data, key: key)
  }

  public static func setManagedValueIfPresent(_ value: Data?, of object: NSManagedObject, forKey key: StaticString) {
    object.write(value, kind: .data, key: key)
  }

  public static var valueWhenAbsent: Data { Data() }
}

extension UUID: ManagedSlotValue {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> UUID? {
    object.read(UUID.self, kind: .uuid, key: key)
  }

  public static func setManagedValueIfPresent(_ value: UUID?, of object: NSManagedObject, forKey key: StaticString) {
    object.write(value, kind: .uuid, key: key)
  }

  public static var valueWhenAbsent: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension Decimal: ManagedSlotValue {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> Decimal? {
    object.read(Decimal.self, kind: .decimal, key: key)
  }

  public static func setManagedValueIfPresent(_ value: Decimal?, of object: NSManagedObject, forKey key: StaticString) {
    object.write(value, kind: .decimal, key: key)
  }

  public static var valueWhenAbsent: Decimal { 0 }
}

extension URL: ManagedSlotValue {
  public static func managedValueIfPresent(of object: NSManagedObject, forKey key: StaticString) -> URL? {
    object.read(Any.self, kind: .object, key: key) as? URL
  }

  public static func setManagedValueIfPresent(_ value: URL?, of object: NSManagedObject, forKey key: StaticString) {
    object.write(value.map { $0 as Any }, kind: .object, key: key)
  }

  public static var valueWhenAbsent: URL { URL(fileURLWithPath: "/") }
}
