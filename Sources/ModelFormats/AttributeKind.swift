/// The table of attribute types: what the modules ask about a type, in one row for each type.
///
/// The rows are the cases of a `switch`, so that the compiler refuses a type without a row. Modules that convert values switch
/// over ``storage``: a type that shares the storage of another type needs no code there.
package struct AttributeKind: Sendable {
  /// The representation of an attribute's values in rows, columns and files.
  package enum Storage: Sendable, CaseIterable {
    case integer, boolean, real, date, decimal, text, data, uuid, uri, transformable, composite
    /// No store keeps the values.
    case none

    /// True for numbers that have an order and can be added.
    package var isNumber: Bool { self == .integer || self == .real || self == .decimal }

    /// True for values by which stores sort.
    package var isOrdered: Bool { isPlain && self != .data && self != .uri }

    /// True for values that are not objects of an application, and not composed of other values.
    package var isPlain: Bool { self != .transformable && self != .composite && self != .none }
  }

  /// The type. Its raw value is the name in model files.
  package let type: ModelDocument.AttributeType
  /// The raw value of Apple's `NSAttributeType`, which is part of the version hash.
  package let number: UInt32
  /// The representation of the values.
  package let storage: Storage
  /// The name in the model editor.
  package let title: String
  /// The values in words, for completions.
  package let words: String
  /// The Objective-C class of the values, which compiled models name; `nil` if each attribute names its class.
  package let valueClass: String?
  /// The Swift type that Xcode generates for a property; `nil` if each attribute names its class.
  package let swiftType: String?
  /// The Swift type that Xcode generates for a property with a scalar type; `nil` if the type has none.
  package let scalarType: String?
  /// The name in XML stores.
  package let storeName: String
  /// The valid whole numbers; `nil` for other types.
  package let range: ClosedRange<Int64>?
  /// The JSON Schema pattern of the strings that a seed gives; `nil` without a pattern.
  package let pattern: String?

  /// The row of a type.
  // swift-format-ignore
  package init(_ type: ModelDocument.AttributeType) {
    self = switch type {
    case .undefined: Self(type, number: 0, storage: .none, words: "value")
    case .integer16: Self(type, number: 100, storage: .integer, words: "whole number", class: "NSNumber", scalar: "Int16",
                          store: "int16", range: Int64(Int16.min)...Int64(Int16.max))
    case .integer32: Self(type, number: 200, storage: .integer, words: "whole number", class: "NSNumber", scalar: "Int32",
                          store: "int32", range: Int64(Int32.min)...Int64(Int32.max))
    case .integer64: Self(type, number: 300, storage: .integer, words: "whole number", class: "NSNumber", scalar: "Int64",
                          store: "int64", range: .min ... .max)
    case .decimal: Self(type, number: 400, storage: .decimal, words: "decimal number", class: "NSDecimalNumber",
                        store: "decimal", pattern: #"^-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$"#)
    case .double: Self(type, number: 500, storage: .real, words: "number", class: "NSNumber", scalar: "Double",
                       store: "double", pattern: "^(?:-?inf|nan)$")
    case .float: Self(type, number: 600, storage: .real, words: "number", class: "NSNumber", scalar: "Float",
                      store: "float", pattern: "^(?:-?inf|nan)$")
    case .string: Self(type, number: 700, storage: .text, words: "text", class: "NSString", swift: "String?", store: "string")
    case .boolean: Self(type, number: 800, storage: .boolean, words: "YES or NO", class: "NSNumber", scalar: "Bool",
                        store: "bool")
    case .date: Self(type, number: 900, storage: .date, words: "date", class: "NSDate", swift: "Date?",
                     scalar: "TimeInterval", store: "date")
    case .binary: Self(type, number: 1000, storage: .data, title: "Binary Data", words: "data", class: "NSData",
                       swift: "Data?", pattern: "^[A-Za-z0-9+/]*={0,2}$")
    case .uuid: Self(type, number: 1100, storage: .uuid, words: "UUID", class: "NSUUID", swift: "UUID?", store: "uuid",
                     pattern: "^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$")
    case .uri: Self(type, number: 1200, storage: .uri, words: "URL", class: "NSURL", swift: "URL?", store: "uri")
    case .transformable: Self(type, number: 1800, storage: .transformable, words: "transformable value")
    case .objectID: Self(type, number: 2000, storage: .none, title: "Object ID", words: "value", class: "NSManagedObjectID")
    case .composite: Self(type, number: 2100, storage: .composite, words: "composite value", class: "NSDictionary",
                          swift: "[String: Any]?")
    }
  }

  /// The row of an `NSAttributeType`, Apple's or Perennial's; the row of undefined attributes for an unknown type.
  package init<Type: RawRepresentable>(_ type: Type) where Type.RawValue == UInt {
    self = Self.byHundred[Self.index(type.rawValue)]
  }

  /// The storage of the `NSAttributeType` with a raw value. The predicates of each fetch ask for it, so that it copies no row.
  package static func storage(number: UInt) -> Storage { byHundred[index(number)].storage }

  /// The rows of all types.
  package static let all = ModelDocument.AttributeType.allCases.map { Self($0) }

  /// The rows by their numbers, which are all multiples of 100.
  private static let byHundred = (0...(all.map(\.number).max() ?? 0) / 100).map { hundred in
    all.first { $0.number == hundred * 100 } ?? Self(.undefined)
  }

  private static func index(_ number: UInt) -> Int {
    number % 100 == 0 && number / 100 < byHundred.count ? Int(number / 100) : 0
  }

  private init(
    _ type: ModelDocument.AttributeType,
    number: UInt32,
    storage: Storage,
    title: String? = nil,
    words: String,
    class valueClass: String? = nil,
    swift: String? = nil,
    scalar: String? = nil,
    store: String = "binary",
    range: ClosedRange<Int64>? = nil,
    pattern: String? = nil
  ) {
    self.type = type
    self.number = number
    self.storage = storage
    self.title = title ?? type.rawValue
    self.words = words
    self.valueClass = valueClass
    swiftType = swift ?? valueClass.map { "\($0)?" }
    scalarType = scalar
    storeName = store
    self.range = range
    self.pattern = pattern
  }
}
