import ModelFormats

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
  /// Any class, stored as the data to which a value transformer converts it.
  case transformableAttributeType = 1800
  /// The ID of a managed object; for the results of fetch requests.
  case objectIDAttributeType = 2000
  /// A group of attributes, an `NSCompositeAttributeDescription`.
  case compositeAttributeType = 2100
}

extension NSAttributeType {
  /// The representation of the values, by the table of attribute types.
  var storage: AttributeKind.Storage { AttributeKind.storage(number: rawValue) }
}

extension NSAttributeDescription {
  /// The type of an attribute's values, as Apple's newer Swift spelling has it; raw values as in `NSAttributeType`.
  public struct AttributeType: Hashable, RawRepresentable, Sendable {
    public let rawValue: UInt

    /// Makes a type from a raw value of `NSAttributeType`.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    init(_ type: NSAttributeType) { self.init(rawValue: type.rawValue) }
  }

  /// `attributeType` in the newer spelling.
  ///
  /// Setting a raw value that no `NSAttributeType` has stops the program.
  public final var type: AttributeType {
    get { AttributeType(attributeType) }
    set { attributeType = newValue.attributeType(of: modelPath) }
  }
}

extension NSAttributeDescription.AttributeType {
  /// The type in the older spelling. An unknown raw value stops the program with a message that names the property.
  func attributeType(of path: String) -> NSAttributeType {
    guard let type = NSAttributeType(rawValue: rawValue) else {
      fatalError(
        """
        \(path): \(rawValue) is not an attribute type; \
        use one of the constants of NSAttributeDescription.AttributeType.
        """
      )
    }
    return type
  }

  /// No type; allowed for transient attributes only.
  public static let undefined = Self(.undefinedAttributeType)
  /// A whole number of 16 bits.
  public static let integer16 = Self(.integer16AttributeType)
  /// A whole number of 32 bits.
  public static let integer32 = Self(.integer32AttributeType)
  /// A whole number of 64 bits.
  public static let integer64 = Self(.integer64AttributeType)
  /// A decimal number.
  public static let decimal = Self(.decimalAttributeType)
  /// A floating-point number of 64 bits.
  public static let double = Self(.doubleAttributeType)
  /// A floating-point number of 32 bits.
  public static let float = Self(.floatAttributeType)
  /// A `String`.
  public static let string = Self(.stringAttributeType)
  /// A truth value.
  public static let boolean = Self(.booleanAttributeType)
  /// A `Date`.
  public static let date = Self(.dateAttributeType)
  /// `Data`.
  public static let binaryData = Self(.binaryDataAttributeType)
  /// A `UUID`.
  public static let uuid = Self(.UUIDAttributeType)
  /// A `URL`.
  public static let uri = Self(.URIAttributeType)
  /// Any class, by way of a value transformer.
  public static let transformable = Self(.transformableAttributeType)
  /// The ID of a managed object.
  public static let objectID = Self(.objectIDAttributeType)
  /// A group of attributes.
  public static let composite = Self(.compositeAttributeType)
}
