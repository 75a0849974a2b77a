package import CoreData
import Foundation
import ModelFormats
import Seeding
import Texts

/// Makes predicates from the conditions of one property, which a person can choose without knowing predicates.
///
/// `ExplorationPredicate` reads each text, so that a person can edit it further.
package struct PropertyFilter: Sendable {
  /// The kind of a property, which decides the available conditions.
  package enum Kind: String, Hashable, Sendable {
    case text, number, date, boolean, identifier, address, object, objects
    /// Values that a predicate can only compare with NULL: bytes, transformable and composite values.
    case other
  }

  /// A condition of a property.
  package enum Condition: Hashable, Sendable {
    case isNone, isSomething, isTrue, isFalse
    case equals(String)
    case contains(String)
    case excludes(String)
    case begins(String)
    /// Between two limits, both included; `nil` for no limit. If the upper limit is a day, the whole day is included.
    case between(String?, String?)
  }

  /// The longest value of a condition, in bytes.
  package static let longestValue = 2_000

  package let name: String
  package let kind: Kind
  private let isWhole: Bool

  /// - Throws: `unknownName` if the entity does not have the property, `unsuitableProperty` if the property is
  ///   transient.
  package init(_ name: String, of entity: NSEntityDescription) throws {
    self.name = name
    let property = entity.propertiesByName[name]
    if property?.isTransient == true {
      throw ExplorationFailure(
        code: .unsuitableProperty,
        problem: "objects cannot be found by \(name): it is transient, and in no store",
        remedy: "choose a property that is saved"
      )
    }
    switch property {
    case let attribute as NSAttributeDescription:
      kind = Self.kind(of: attribute)
      isWhole = AttributeKind(attribute.attributeType).storage == .integer
    case let relationship as NSRelationshipDescription:
      kind = relationship.isToMany ? .objects : .object
      isWhole = true
    default:
      throw ExplorationFailure(
        code: .unknownName,
        problem: "\(entity.name ?? "the entity") has no property \(name)",
        remedy: "choose one of its attributes and relationships"
      )
    }
  }

  private static func kind(of attribute: NSAttributeDescription) -> Kind {
    switch AttributeKind(attribute.attributeType).storage {
    case .text: .text
    case .date: .date
    case .boolean: .boolean
    case .uuid: .identifier
    case .uri: .address
    case .integer, .real, .decimal: .number
    case .data, .transformable, .composite, .none: .other
    }
  }

  /// The text of the predicate of a condition.
  ///
  /// - Throws: `wrongPredicate` if the value does not have the property's type. The remedy shows the right form.
  package func predicate(_ condition: Condition) throws -> String {
    let key = PredicateText.key(name)
    switch condition {
    case .isNone: return kind == .objects ? "\(key).@count == 0" : "\(key) == NULL"
    case .isSomething: return kind == .objects ? "\(key).@count > 0" : "\(key) != NULL"
    case .isTrue: return "\(key) == YES"
    case .isFalse: return "\(key) == NO"
    case .contains(let text): return "\(key) CONTAINS[cd] \(try spelledText(text))"
    case .begins(let text): return "\(key) BEGINSWITH[cd] \(try spelledText(text))"
    case .excludes(let text):
      // NOT CONTAINS is false for an object without a text, but that object does not contain the part either.
      return "(NOT \(key) CONTAINS[cd] \(try spelledText(text)) OR \(key) == NULL)"
    case .equals(let text): return "\(key) == \(try spelled(text))"
    case .between(let lower, let upper): return try between(lower, upper: upper)
    }
  }

  private func between(_ lower: String?, upper: String?) throws -> String {
    let key = kind == .objects ? "\(PredicateText.key(name)).@count" : PredicateText.key(name)
    var parts: [String] = []
    if let lower { parts.append("\(key) >= \(try spelled(lower))") }
    if let upper {
      let day = kind == .date && !upper.contains(":") ? ISO8601Date.parse(upper) : nil
      if let day {
        parts.append("\(key) < \(PredicateText.date(day.addingTimeInterval(86_400)))")
      } else {
        parts.append("\(key) <= \(try spelled(upper))")
      }
    }
    if parts.isEmpty {
      throw problem("no limit is given", remedy: "write the lower one, the upper one or both")
    }
    return parts.joined(separator: " AND ")
  }

  private func spelledText(_ text: String) throws -> String {
    try checkLength(text)
    guard kind == .text else { throw problem("\(name) is not text", remedy: "choose another condition") }
    if text.isEmpty { throw problem("no text is given", remedy: "write a part of the text") }
    return PredicateText.text(text)
  }

  /// The value that a person typed, in the spelling of the format language.
  private func spelled(_ typed: String) throws -> String {
    try checkLength(typed)
    let text = kind == .text ? typed : typed.trimmingCharacters(in: .whitespacesAndNewlines)
    let value: Any?
    let remedy: String
    switch kind {
    case .text: (value, remedy) = (text, "")
    case .number, .objects:
      value = isWhole ? Int64(text).map { NSNumber(value: $0) } : Self.decimal(text)
      remedy =
        isWhole ? "write a whole number in digits, such as 12" : "write a number in digits, such as 12.5"
    case .date:
      value = ISO8601Date.parse(text)
      remedy = "write a date as 2024-01-31 or 2024-01-31T12:00:00Z"
    case .identifier:
      value = UUID(uuidString: text)
      remedy = "write a UUID, such as 0E984725-C51C-4BF4-9960-E1C80E27ABA0"
    case .address: (value, remedy) = (URL(string: text), "write an address, such as https://example.com/")
    case .boolean, .object, .other: (value, remedy) = (nil, "choose another condition")
    }
    guard let value, let spelled = PredicateText.value(value) else {
      throw problem("\"\(text.cut(to: 100))\" is not a value of \(name)", remedy: remedy)
    }
    return spelled
  }

  /// A decimal number with exactly the typed digits.
  private static func decimal(_ text: String) -> NSDecimalNumber? {
    guard text.wholeMatch(of: /[+-]?[0-9]{1,30}(\.[0-9]{1,30})?/) != nil,
      let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    else { return nil }
    return NSDecimalNumber(decimal: value)
  }

  private func checkLength(_ text: String) throws {
    if text.utf8.count <= Self.longestValue { return }
    throw problem("the value has more than \(Self.longestValue) bytes", remedy: "shorten it")
  }

  private func problem(_ words: String, remedy: String) -> ExplorationFailure {
    ExplorationFailure(code: .wrongPredicate, problem: words, remedy: remedy)
  }
}
