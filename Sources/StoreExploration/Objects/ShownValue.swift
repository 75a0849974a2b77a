package import CoreData
import Foundation
import ModelFormats
import Texts

/// The value of an attribute, in the form that a page shows.
package indirect enum ShownValue: Sendable, Hashable {
  case none
  case text(String)
  /// The digits of a number.
  case number(String)
  case boolean(Bool)
  case date(Date)
  case uuid(UUID)
  case address(String)
  /// Bytes. A summary has only the first bytes.
  case data(Data, count: Int)
  /// The elements of a composite value, in the model's order.
  case fields([Field])
  /// The description of a value whose type only a program knows.
  case described(String, type: String)

  package struct Field: Sendable, Hashable {
    package let name: String
    package let value: ShownValue
  }

  /// The longest summary, in Unicode characters.
  package static let longestSummary = 200
  private static let longestDescription = 100_000

  /// Represents a complete value from key-value coding.
  package init(value: Any?, attribute: NSAttributeDescription) {
    self.init(value: value, attribute: attribute, longest: .max)
  }

  /// Represents a shortened value, for a cell of a grid.
  package init(summaryOf value: Any?, attribute: NSAttributeDescription) {
    self.init(value: value, attribute: attribute, longest: Self.longestSummary)
  }

  private init(value: Any?, attribute: NSAttributeDescription, longest: Int) {
    guard let value, !(value is NSNull) else {
      self = .none
      return
    }
    let typed: ShownValue? =
      switch AttributeKind.storage(number: attribute.attributeType.rawValue) {
      case .text: (value as? String).map { .text($0.cut(to: longest)) }
      case .boolean: (value as? NSNumber).map { .boolean($0.boolValue) }
      case .integer: (value as? NSNumber).map { .number("\($0.int64Value)") }
      // The shortest digits of a Float differ from those of the equal Double.
      case .real where attribute.attributeType == .floatAttributeType:
        (value as? NSNumber).map { .number("\($0.floatValue)") }
      case .real: (value as? NSNumber).map { .number("\($0.doubleValue)") }
      case .decimal: (value as? NSDecimalNumber).map { .number("\($0.decimalValue)") }
      case .date: (value as? Date).map { .date($0) }
      case .uuid: (value as? UUID).map { .uuid($0) }
      case .uri: (value as? URL).map { .address($0.absoluteString.cut(to: longest)) }
      case .data: (value as? Data).map { .data(longest == .max ? $0 : $0.prefix(longest), count: $0.count) }
      case .composite: Self.fields(value, attribute: attribute, longest: longest)
      case .transformable, .none: nil
      }
    self = typed ?? Self.described(value, longest: longest)
  }

  private static func fields(_ value: Any, attribute: NSAttributeDescription, longest: Int) -> ShownValue? {
    guard let values = value as? [String: Any] else { return nil }
    let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
    return .fields(
      elements.map { Field(name: $0.name, value: ShownValue(value: values[$0.name], attribute: $0, longest: longest)) }
    )
  }

  private static func described(_ value: Any, longest: Int) -> ShownValue {
    .described("\(value)".cut(to: min(longest, longestDescription)), type: "\(type(of: value))")
  }

  /// The value in one line, without formatting, at most as long as a summary.
  package var plainText: String {
    let text =
      switch self {
      case .none: ""
      case .text(let text), .number(let text), .address(let text), .described(let text, _): text
      case .boolean(let value): value ? "true" : "false"
      case .date(let date): ShownDate.text(date)
      case .uuid(let uuid): uuid.uuidString
      case .data(_, let count): "\(count) bytes"
      case .fields(let fields): fields.map { "\($0.name): \($0.value.plainText)" }.joined(separator: ", ")
      }
    return VisibleText(line: text, atMost: Self.longestSummary).description
  }

  package var isNumber: Bool { if case .number = self { true } else { false } }
}
