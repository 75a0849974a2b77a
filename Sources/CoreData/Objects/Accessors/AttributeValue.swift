import Foundation

/// Converts between the values of programs and the values of rows.
enum AttributeValue {
  /// The row's value for a program's, or `nil` when the attribute cannot have it.
  static func stored(_ value: Any?, as type: NSAttributeType) -> StoredValue? {
    guard let value else { return .null }
    if let plain = plain(value, as: type) { return plain }
    if value is NSNull { return .null }
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return integer(value).map(StoredValue.integer)
    case .booleanAttributeType:
      if let value = value as? Bool { return .integer(value ? 1 : 0) }
      return integer(value).map { .integer($0 == 0 ? 0 : 1) }
    case .doubleAttributeType: return real(value).map(StoredValue.real)
    case .floatAttributeType: return real(value).map { .real(Double(Float($0))) }
    case .dateAttributeType: return (value as? Date).map { .real($0.timeIntervalSinceReferenceDate) }
    case .decimalAttributeType: return decimal(value).map(StoredValue.decimal)
    case .stringAttributeType: return (value as? String).map(StoredValue.text)
    case .binaryDataAttributeType: return (value as? Data).map(StoredValue.data)
    case .UUIDAttributeType: return (value as? UUID).map(StoredValue.uuid)
    case .URIAttributeType: return (value as? URL).map(StoredValue.object)
    case .objectIDAttributeType: return (value as? NSManagedObjectID).map(StoredValue.object)
    case .transformableAttributeType: return .object(asArchived(value))
    case .undefinedAttributeType, .compositeAttributeType: return .object(value)
    }
  }

  /// The row's value, if the value has exactly the type that rows keep, as most have; `nil` for any other value, which
  /// ``stored(_:as:)`` may convert. Failed casts are expensive, so the type of the value is compared first.
  static func plain(_ value: Any, as type: NSAttributeType) -> StoredValue? {
    let given = Swift.type(of: value)
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      if given == Int64.self { return (value as? Int64).map(StoredValue.integer) }
      if given == Int.self { return (value as? Int).map { .integer(Int64($0)) } }
    case .booleanAttributeType:
      if given == Bool.self { return (value as? Bool).map { .integer($0 ? 1 : 0) } }
    case .doubleAttributeType:
      if given == Double.self { return (value as? Double).map(StoredValue.real) }
    case .dateAttributeType:
      if given == Date.self { return (value as? Date).map { .real($0.timeIntervalSinceReferenceDate) } }
    case .stringAttributeType:
      if given == String.self { return (value as? String).map(StoredValue.text) }
    case .binaryDataAttributeType:
      if given == Data.self { return (value as? Data).map(StoredValue.data) }
    case .UUIDAttributeType:
      if given == UUID.self { return (value as? UUID).map(StoredValue.uuid) }
    default: break
    }
    return nil
  }

  /// The row's value for a program's, or `nil` when the attribute cannot have it.
  static func stored(_ value: Any?, of attribute: NSAttributeDescription) -> StoredValue? {
    if let composite = attribute as? NSCompositeAttributeDescription {
      return CompositeValue.stored(value, attribute: composite)
    }
    return stored(value, as: attribute.attributeType)
  }

  /// The program's value for a row's: numbers as `NSNumber`.
  static func value(_ stored: StoredValue, as type: NSAttributeType) -> Any? {
    switch stored {
    case .null, .reference: nil
    case .integer(let value): type == .booleanAttributeType ? NSNumber(value: value != 0) : NSNumber(value: value)
    case .real(let value):
      type == .dateAttributeType
        ? Date(timeIntervalSinceReferenceDate: value) as Any : NSNumber(value: value)
    case .text(let value): value
    case .data(let value): value
    case .uuid(let value): value
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .object(let archive as UnreadableArchive): archive.data
    case .object(let value): value
    }
  }

  static func defaultValue(of attribute: NSAttributeDescription) -> StoredValue {
    if let composite = attribute as? NSCompositeAttributeDescription, attribute.defaultValue == nil {
      return CompositeValue.defaultValue(of: composite)
    }
    guard let stored = stored(attribute.defaultValue, of: attribute) else {
      fatalError(
        """
        \(attribute.modelPath): the default value \(attribute.defaultValue ?? "nil") is not a value of the \
        attribute's type; set one that is.
        """
      )
    }
    return stored
  }

  /// A number in the form that it has after a save: archives keep an `NSNumber`, which a program can cast to any type
  /// that can represent the number. A cast of Swift's `Double` to `Int` fails instead.
  private static func asArchived(_ value: Any) -> Any {
    switch value {
    case is any BinaryInteger, is any BinaryFloatingPoint, is Bool: (value as? NSNumber) ?? value
    default: value
    }
  }

  private static func integer(_ value: Any) -> Int64? {
    switch value {
    case let value as Int64: value
    case let value as Int: Int64(value)
    case let value as NSNumber: value.int64Value
    case let value as any BinaryInteger: Int64(exactly: value)
    case let value as Bool: value ? 1 : 0
    default: nil
    }
  }

  private static func real(_ value: Any) -> Double? {
    switch value {
    case let value as Double: value
    case let value as NSNumber: value.doubleValue
    case let value as Float: Double(value)
    case let value as Decimal: NSDecimalNumber(decimal: value).doubleValue
    case let value as any BinaryInteger: Double(value)
    default: nil
    }
  }

  private static func decimal(_ value: Any) -> Decimal? {
    switch value {
    case let value as Decimal: value
    case let value as NSDecimalNumber: value.decimalValue
    case let value as NSNumber: value.doubleValue.isFinite ? value.decimalValue : nil
    case let value as Double: value.isFinite ? Decimal(value) : nil
    case let value as any BinaryInteger: Int64(exactly: value).map { Decimal($0) }
    default: nil
    }
  }
}
