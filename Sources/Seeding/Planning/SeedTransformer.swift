import CoreData
import Foundation

/// A value transformer that annotations name, at work on the values of a seed.
struct SeedTransformer {
  private let name: String
  private let transformer: ValueTransformer

  init(named name: String) throws(AttributeConversion.Failure) {
    guard let transformer = ValueTransformer(forName: NSValueTransformerName(name)) else {
      throw AttributeConversion.Failure(
        code: .noTransformer,
        problem:
          "no value transformer is registered under the name \(name), which the model's user info gives",
        remedy: "register it with ValueTransformer.setValueTransformer(_:forName:) before seeding, or write "
          + "\"\(SeedHeader.plainKey)\": true first in the seed and the model's own values in it"
      )
    }
    self.name = name
    self.transformer = transformer
  }

  /// The value of an attribute.
  func value(_ value: SeedValue, for attribute: NSAttributeDescription) throws(AttributeConversion.Failure)
    -> PlannedValue
  {
    guard let result = transformer.transformedValue(Self.given(value)), !(result is NSNull) else { return .null }
    if let date = result as? Date, attribute.attributeType == .dateAttributeType {
      return .date(try AttributeConversion.checked(date))
    }
    if let value = PlannedValue(result, of: attribute.attributeType) { return value }
    if let plain = SeedValue(plain: result) {
      return try AttributeConversion.convert(plain, to: attribute, dates: .byLook)
    }
    if attribute.attributeType == .transformableAttributeType, let object = result as? NSObject {
      return .object(ObjectValue(object))
    }
    throw AttributeConversion.Failure(
      problem: "the value transformer \(name) makes a \(type(of: result)) of \(value.kind)",
      remedy: "have it make values of the attribute's type"
    )
  }

  /// The fields of a whole record.
  func record(_ fields: [SeedField]) throws(AttributeConversion.Failure) -> [SeedField] {
    let result = transformer.transformedValue(Self.given(.object(fields)))
    guard let result, case .object(let fields) = SeedValue(plain: result) else {
      throw AttributeConversion.Failure(
        problem: "the value transformer \(name) makes no dictionary of the record",
        remedy: "have it make dictionaries of strings, numbers, lists and dictionaries"
      )
    }
    return fields
  }

  /// The name of a record's entity.
  func entity(_ fields: [SeedField]) throws(AttributeConversion.Failure) -> String {
    guard let entity = transformer.transformedValue(Self.given(.object(fields))) as? String else {
      throw AttributeConversion.Failure(
        problem: "the entity mapper \(name) names no entity for the record",
        remedy: "have it name one for each record"
      )
    }
    return entity
  }

  /// The value that the transformer is given: as a program has it, and as `JSONSerialization` makes it.
  private static func given(_ value: SeedValue) -> Any? {
    switch value {
    case .null: nil
    case .bool(let value): value
    case .string(let text), .text(let text): text
    case .date(let date): date
    case .data(let data): data
    case .url(let url): url
    case .uuid(let uuid): uuid
    case .set(let values): NSSet(array: values.map { given($0) ?? NSNull() })
    case .array(let values): values.map { given($0) ?? NSNull() }
    case .object(let fields): Dictionary(fields.map { ($0.key, given($0.value) ?? NSNull()) }) { $1 }
    case .integer, .number: value.foundationObject
    }
  }
}
