import Foundation
import Texts

/// A literal value of a seed file, before the model decides its type.
enum SeedValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// The digits of a number that an `Int64` cannot hold. A `Decimal` made from them does not lose digits.
  case number(String)
  case string(String)
  case array([SeedValue])
  case object([SeedField])
  /// The text of a field in a table; the attribute's type tells whether it is a number, a date or a string.
  case text(String)
  case date(Date)
  case data(Data)
  /// A URL, a UUID or a set of a transformable attribute, for which no format has a literal of its own.
  case url(URL)
  case uuid(UUID)
  case set(Set<SeedValue>)

  /// The number with these digits, as JSON spells them; nil if the text is not a number.
  init?(number digits: String) {
    guard JSONNumber.isValid(digits) else { return nil }
    self = Int64(digits).map(Self.integer) ?? .number(digits)
  }

  /// The name of the value's kind in errors.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool(let value): "the boolean \(value)"
    case .integer(let value): "the number \(value)"
    case .number(let digits): "the number \(digits.abbreviated)"
    case .string(let text): "the string \"\(text.abbreviated)\""
    case .array: "a list"
    case .object: "an object"
    case .text(let text): "\"\(text.abbreviated)\""
    case .date(let date): "the date \(ISO8601Date.words(date))"
    case .data(let data): "data of \(data.count) bytes"
    case .url(let url): "the URL \(url.absoluteString.abbreviated)"
    case .uuid(let uuid): "the UUID \(uuid.uuidString)"
    case .set: "a set"
    }
  }
}

/// One key and its value, in the order of the file.
struct SeedField: Hashable, Sendable {
  let key: String
  let value: SeedValue
}
