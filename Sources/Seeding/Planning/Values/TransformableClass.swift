import Foundation

/// The values that a seed may give a transformable attribute: the plain objects that the attribute's class allows.
///
/// Models name classes of Objective-C (`NSArray`) and, in the editor's field for the custom class,
/// types of Swift (`[String]`).
package indirect enum TransformableClass: Hashable, Sendable {
  /// Any value: the attribute does not name a class, or names a superclass of all objects.
  case any
  case string
  case number
  case date
  case data
  case url
  case uuid
  case list(of: TransformableClass)
  case dictionary(of: TransformableClass)
  case set(of: TransformableClass)

  /// - Parameter name: the name of the class; `nil` if the attribute does not name one.
  /// - Returns: `nil` for a class that no plain object has.
  package init?(named name: String?) {
    switch name {
    case nil, "NSObject", "Any", "AnyObject", "AnyHashable": self = .any
    case "NSString", "NSMutableString", "String": self = .string
    case "NSNumber", "NSDecimalNumber", "Bool", "Decimal", "Double", "Float", "CGFloat", "Int", "Int8",
      "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64":
      self = .number
    case "NSDate", "Date": self = .date
    case "NSData", "NSMutableData", "Data": self = .data
    case "NSURL", "URL": self = .url
    case "NSUUID", "UUID": self = .uuid
    case "NSSet", "NSMutableSet": self = .set(of: .any)
    case "NSArray", "NSMutableArray": self = .list(of: .any)
    case "NSDictionary", "NSMutableDictionary": self = .dictionary(of: .any)
    case let name?:
      guard let collection = Self.collection(name) else { return nil }
      self = collection
    }
  }

  /// `[String]`, `Array<String>`, `Set<String>`, `[String: Int]`, `Dictionary<String, Int>`
  private static func collection(_ name: String) -> TransformableClass? {
    let text = name.filter { $0 != " " }
    if let inner = text.between("[", end: "]") {
      return dictionary(inner, separator: ":") ?? TransformableClass(named: inner).map { .list(of: $0) }
    }
    if let inner = text.between("Array<", end: ">") {
      return TransformableClass(named: inner).map { .list(of: $0) }
    }
    if let inner = text.between("Set<", end: ">") {
      return TransformableClass(named: inner).map { .set(of: $0) }
    }
    return text.between("Dictionary<", end: ">").flatMap { dictionary($0, separator: ",") }
  }

  /// Keys are strings, as in the objects of a seed.
  private static func dictionary(_ inner: String, separator: Character) -> TransformableClass? {
    let parts = inner.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["String", "AnyHashable"].contains(parts[0]) else { return nil }
    return TransformableClass(named: String(parts[1])).map { .dictionary(of: $0) }
  }

  /// The value, with types that JSON cannot express derived from the class: the list of a set, the
  /// text of a URL or a UUID.
  func read(_ value: SeedValue) -> SeedValue {
    switch (self, value) {
    case (.url, .string(let text)) where !text.isEmpty: URL(string: text).map(SeedValue.url) ?? value
    case (.uuid, .string(let text)): UUID(uuidString: text).map(SeedValue.uuid) ?? value
    case (.set(let kind), .array(let values)): .set(Set(values.map(kind.read)))
    case (.set(let kind), .set(let values)): .set(Set(values.map(kind.read)))
    case (.list(let kind), .array(let values)): .array(values.map(kind.read))
    case (.dictionary(let kind), .object(let fields)):
      .object(fields.map { SeedField(key: $0.key, value: kind.read($0.value)) })
    default: value
    }
  }

  /// The first part of a value that is not of the class, and what it should be; `nil` where the value is of the class.
  func mismatch(_ value: SeedValue) -> (value: SeedValue, expected: String)? {
    switch (self, value) {
    case (.any, _), (.string, .string), (.date, .date), (.data, .data), (.url, .url), (.uuid, .uuid): nil
    case (.number, .integer), (.number, .number), (.number, .bool): nil
    case (.list(let kind), .array(let values)): values.lazy.compactMap(kind.mismatch).first
    case (.dictionary(let kind), .object(let fields)):
      fields.lazy.compactMap { kind.mismatch($0.value) }.first
    case (.set(let kind), .set(let values)): values.lazy.compactMap(kind.mismatch).first
    default: (value, expected)
    }
  }

  private var expected: String {
    switch self {
    case .any: "a value"
    case .string: "a string"
    case .number: "a number"
    case .date: "a date: {\"$date\": \"2024-03-17\"}"
    case .data: "data: {\"$data\": \"SGk=\"}"
    case .url: "a URL such as https://example.com/notes"
    case .uuid: "a string such as E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    case .list, .set: "a list"
    case .dictionary: "an object"
    }
  }
}

extension String {
  fileprivate func between(_ start: String, end: String) -> String? {
    guard count > start.count + end.count, hasPrefix(start), hasSuffix(end) else { return nil }
    return String(dropFirst(start.count).dropLast(end.count))
  }
}
