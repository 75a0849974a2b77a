import CoreData
import Foundation

extension GeneratedValue {
  /// The value as an object's attribute has it; nil for a missing value.
  func objectValue(for attribute: NSAttributeDescription) -> Any? {
    switch (attribute.attributeType, self) {
    case (_, .null): nil
    case (.transformableAttributeType, _): plainObject
    case (.compositeAttributeType, .fields(let fields)):
      Self.composite(fields, elements: (attribute as? NSCompositeAttributeDescription)?.elements ?? [])
    case (.decimalAttributeType, .text(let text)): Decimal(string: text).map { NSDecimalNumber(decimal: $0) }
    case (.dateAttributeType, .text(let text)): Self.date(text)
    case (.binaryDataAttributeType, .text(let text)): Data(base64Encoded: text)
    case (.UUIDAttributeType, .text(let text)): UUID(uuidString: text)
    case (.URIAttributeType, .text(let text)): URL(string: text)
    case (_, .bool(let truth)): NSNumber(value: truth)
    case (_, .integer(let number)): NSNumber(value: number)
    case (_, .real(let number)): NSNumber(value: number)
    case (_, .text(let text)): text
    case (_, .list), (_, .fields): nil
    }
  }

  private static func composite(_ fields: [Field], elements: [NSAttributeDescription]) -> [String: Any] {
    var values: [String: Any] = [:]
    for field in fields {
      guard let element = elements.first(where: { $0.name == field.key }) else { continue }
      values[field.key] = field.value.objectValue(for: element)
    }
    return values
  }

  /// The moment of a text of `DateText`.
  private static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }

  /// The value of a transformable attribute, as Foundation's plain objects have it.
  private var plainObject: NSObject? {
    switch self {
    case .null: return nil
    case .bool(let truth): return NSNumber(value: truth)
    case .integer(let number): return NSNumber(value: number)
    case .real(let number): return NSNumber(value: number)
    case .text(let text): return NSString(string: text)
    case .list(let values): return NSArray(array: values.compactMap(\.plainObject))
    case .fields(let fields):
      if let first = fields.first, first.key == "$date", case .text(let text) = first.value {
        return Self.date(text).map { NSDate(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) }
      }
      let known = fields.compactMap { field in
        field.value.plainObject.map { (NSString(string: field.key), $0) }
      }
      return NSDictionary(objects: known.map(\.1), forKeys: known.map(\.0))
    }
  }
}
