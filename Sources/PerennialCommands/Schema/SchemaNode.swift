import Foundation

/// A value in a JSON Schema.
enum SchemaNode: Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case list([SchemaNode])
  case object([String: SchemaNode])

  /// A reference to a definition in the same schema.
  static func definition(_ name: String) -> SchemaNode { ["$ref": .string("#/definitions/\(pointer(name))")] }

  /// The name of a type, or a list of alternative types.
  static func types(_ names: [String]) -> SchemaNode {
    names.count == 1 ? .string(names[0]) : .list(names.map(SchemaNode.string))
  }

  /// A node that applies where a condition holds, and another one for all other values.
  static func branch(if condition: SchemaNode, then: SchemaNode, else other: SchemaNode) -> SchemaNode {
    ["if": condition, "then": then, "else": other]
  }

  /// A copy of an object with one more key.
  func with(_ key: String, value: SchemaNode?) -> SchemaNode {
    guard case .object(var fields) = self, let value else { return self }
    fields[key] = value
    return .object(fields)
  }

  /// A name, escaped as a part of a JSON pointer in a URI (RFC 6901).
  private static func pointer(_ name: String) -> String {
    let escaped = name.replacingOccurrences(of: "~", with: "~0").replacingOccurrences(of: "/", with: "~1")
    return escaped.addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(.ascii))
      ?? escaped
  }
}

extension CharacterSet {
  fileprivate static let ascii = CharacterSet(charactersIn: Unicode.Scalar(0)...Unicode.Scalar(127))
}

extension SchemaNode: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(arrayLiteral elements: SchemaNode...) { self = .list(elements) }
  init(dictionaryLiteral elements: (String, SchemaNode)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

extension SchemaNode: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .object(let fields): try container.encode(fields)
    }
  }
}
