/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(_ rawValue: String) { self.rawValue = rawValue }
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes a Boolean of its opposite.
  public static let negateBooleanTransformerName = Self("NSNegateBoolean")
  /// Says whether a value is `nil`.
  public static let isNilTransformerName = Self("NSIsNil")
  /// Says whether a value is there.
  public static let isNotNilTransformerName = Self("NSIsNotNil")
  /// Makes objects of archives that were made with secure coding.
  public static let secureUnarchiveFromDataTransformerName = Self("NSSecureUnarchiveFromData")
}
