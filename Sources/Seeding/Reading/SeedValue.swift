import Foundation
import Texts

/// A value as a seed file spells it, before the model says what type it has to be.
enum SeedValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number that is no `Int64`, in its own digits: a `Decimal` made from them loses none.
  case number(String)
  case string(String)
  case array([SeedValue])
  case object([SeedField])
  /// The text of a field in a table; the attribute's type tells whether it is a number, a date or a
  /// string.
  case text(String)
  case date(Date)
  case data(Data)
  /// A URL, a UUID or a set of a transformable attribute, which no format spells in its own words.
  case url(URL)
  case uuid(UUID)
  case set(Set<SeedValue>)

  /// The number with these digits, as JSON spells them; nil if the text is not a number.
  init?(number digits: String) {
    guard JSONNumber.isValid(digits) else { return nil }
    self = Int64(digits).map(Self.integer) ?? .number(digits)
  }

  /// The words by which an error names the kind of value that was found.
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
