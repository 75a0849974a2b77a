package import CoreData
import Foundation

/// A value to print, or to write into a seed.
package indirect enum ResultValue: Hashable, Sendable {
  case none
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case decimal(Decimal)
  case text(String)
  case date(Date)
  case data(Data)
  case list([ResultValue])
  case fields([String: ResultValue])

  /// The value in one line for people and for CSV; empty for a missing value.
  package var plainText: String {
    switch self {
    case .none: ""
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .text(let value): value
    case .date(let value): Self.text(value)
    case .data(let value): value.base64EncodedString()
    case .list(let values): values.map(\.plainText).joined(separator: ", ")
    case .fields(let values):
      values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.plainText)" }.joined(separator: ", ")
    }
  }

  /// True when a table sets it to the right.
  package var isNumber: Bool {
    switch self {
    case .integer, .real, .decimal: true
    default: false
    }
  }

  /// Fractions of a second are shown where there are any, to the thousandth. Foundation's format
  /// stops the program at dates that are very far away.
  private static func text(_ date: Date) -> String {
    guard let exact = ISO8601Date.text(date) else { return ISO8601Date.words(date) }
    let seconds = date.timeIntervalSinceReferenceDate
    if seconds == seconds.rounded() { return exact }
    return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension ResultValue {
  /// The value of an attribute as key-value coding gives it.
  package init(_ value: Any?, of attribute: NSAttributeDescription) {
    guard let value, !(value is NSNull) else {
      self = .none
      return
    }
    let typed: ResultValue? =
      switch attribute.attributeType {
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
        (value as? NSNumber).map { .integer($0.int64Value) }
      case .doubleAttributeType: (value as? NSNumber).map { .real($0.doubleValue) }
      // The shortest digits of a Float are not those of the Double that equals it.
      case .floatAttributeType: (value as? NSNumber).flatMap { Double("\($0.floatValue)") }.map { .real($0) }
      case .decimalAttributeType: (value as? NSDecimalNumber).map { .decimal($0.decimalValue) }
      case .booleanAttributeType: (value as? NSNumber).map { .bool($0.boolValue) }
      case .dateAttributeType: (value as? Date).map { .date($0) }
      case .binaryDataAttributeType: (value as? Data).map { .data($0) }
      case .compositeAttributeType: Self.fields(value, attribute: attribute)
      default: nil
      }
    self = typed ?? .text("\(value)")
  }

  private static func fields(_ value: Any, attribute: NSAttributeDescription) -> ResultValue? {
    guard let values = value as? [String: Any] else { return nil }
    let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
    return .fields(
      Dictionary(elements.map { ($0.name, ResultValue(values[$0.name], of: $0)) }, uniquingKeysWith: { $1 })
    )
  }
}

extension ResultValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    // JSON cannot express infinity or NaN.
    case .real(let value) where !value.isFinite: try container.encode("\(value)")
    case .real(let value): try container.encode(value)
    case .decimal(let value) where !value.isFinite: try container.encode("\(value)")
    case .decimal(let value): try container.encode(value)
    case .text, .date, .data: try container.encode(plainText)
    case .list(let values): try container.encode(values)
    case .fields(let values): try container.encode(values)
    }
  }
}
