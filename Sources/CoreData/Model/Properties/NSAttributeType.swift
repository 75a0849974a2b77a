/// The type of an attribute's values; the raw values are Apple's and go into the version hashes.
public enum NSAttributeType: UInt, Sendable {
  /// No type; allowed for transient attributes only.
  case undefinedAttributeType = 0
  /// A whole number of 16 bits, an `NSNumber`.
  case integer16AttributeType = 100
  /// A whole number of 32 bits, an `NSNumber`.
  case integer32AttributeType = 200
  /// A whole number of 64 bits, an `NSNumber`.
  case integer64AttributeType = 300
  /// A decimal number, an `NSDecimalNumber`.
  case decimalAttributeType = 400
  /// A floating-point number of 64 bits, an `NSNumber`.
  case doubleAttributeType = 500
  /// A floating-point number of 32 bits, an `NSNumber`.
  case floatAttributeType = 600
  /// A `String`.
  case stringAttributeType = 700
  /// A truth value, an `NSNumber`.
  case booleanAttributeType = 800
  /// A `Date`, stored as seconds since the reference date.
  case dateAttributeType = 900
  /// `Data`.
  case binaryDataAttributeType = 1000
  /// A `UUID`.
  case UUIDAttributeType = 1100
  /// A `URL`.
  case URIAttributeType = 1200
  /// Any class, stored as the data that a value transformer makes of it.
  case transformableAttributeType = 1800
  /// The ID of a managed object; for the results of fetch requests.
  case objectIDAttributeType = 2000
  /// A group of attributes, an `NSCompositeAttributeDescription`.
  case compositeAttributeType = 2100
}
