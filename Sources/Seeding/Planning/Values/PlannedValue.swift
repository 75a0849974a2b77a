import CoreData
import Foundation
import Texts

/// A value of the type that its attribute has in the model: can be compared, be a key, and be set on an object.
enum PlannedValue: Hashable, Sendable {
  case null
  /// Of any of the three integer types; the range was checked.
  case integer(Int64)
  case double(Double)
  case float(Float)
  case decimal(Decimal)
  case string(String)
  case bool(Bool)
  case date(Date)
  case data(Data)
  case uuid(UUID)
  case url(URL)
  /// The value of a transformable attribute that takes Foundation's plain objects.
  case plain(SeedValue)
  /// The elements that the record has; the other elements of the composite do not change.
  case composite([String: PlannedValue])
  /// The object that a value transformer created for a transformable attribute.
  case object(ObjectValue)

  /// The value as `setValue(_:forKey:)` and a predicate take it.
  var object: Any? {
    switch self {
    case .null: nil
    case .integer(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .float(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .string(let value): value
    case .bool(let value): NSNumber(value: value)
    case .date(let value): value
    case .data(let value): value
    case .uuid(let value): value
    case .url(let value): value
    case .plain(let value): value.foundationObject
    case .composite(let values): values.compactMapValues(\.object)
    case .object(let value): value.object
    }
  }

  /// The value for an object that has a value for the attribute: of a composite, the elements that the record does not
  /// have stay.
  func merged(into present: @autoclosure () -> Any?) -> Any? {
    guard case .composite(let given) = self else { return object }
    var elements = present() as? [String: Any] ?? [:]
    for (name, value) in given {
      let before = elements[name]
      elements[name] = value.merged(into: before)
    }
    return elements.isEmpty ? nil : elements
  }

  /// The value without the elements of composites that another value does not have.
  func limited(to other: PlannedValue) -> PlannedValue {
    guard case .composite(let others) = other else { return self }
    var elements: [String: PlannedValue] = [:]
    if case .composite(let present) = self { elements = present }
    return .composite(
      others.reduce(into: [:]) { limited, other in
        limited[other.key] = (elements[other.key] ?? .null).limited(to: other.value)
      }
    )
  }

  /// The values that a store may have for the value of a natural key. Texts are one key when
  /// Unicode holds them to be canonically equivalent, as Swift's strings are equal then; databases
  /// compare bytes, so that the composed and the decomposed spelling are both asked for.
  var storedObjects: [Any] {
    guard case .string(let text) = self, !text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return [object].compactMap(\.self)
    }
    var spellings = [text]
    for spelling in [text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping]
    where !spellings.contains(where: { $0.utf8.elementsEqual(spelling.utf8) }) {
      spellings.append(spelling)
    }
    return spellings
  }

  /// Returns true when an object's present value for the attribute is this one already.
  func isEqual(to present: Any?) -> Bool {
    switch self {
    case .null: present == nil
    case .integer(let value): (present as? NSNumber)?.int64Value == value
    // Some stores save NaN as NULL.
    case .double(let value) where value.isNaN: (present as? NSNumber)?.doubleValue.isNaN ?? true
    case .float(let value) where value.isNaN: (present as? NSNumber)?.floatValue.isNaN ?? true
    case .double(let value): (present as? NSNumber)?.doubleValue == value
    case .float(let value): (present as? NSNumber)?.floatValue == value
    case .decimal(let value): (present as? NSDecimalNumber)?.decimalValue == value
    case .string(let value): present as? String == value
    case .bool(let value): (present as? NSNumber)?.boolValue == value
    case .date(let value): present as? Date == value
    case .data(let value): present as? Data == value
    case .uuid(let value): present as? UUID == value
    case .url(let value): present as? URL == value
    case .plain(let value):
      (present as? NSObject).map { PlainObjects.areEqual(value.foundationObject, other: $0) } ?? false
    case .composite(let values):
      values.allSatisfy { key, value in value.isEqual(to: (present as? [String: Any])?[key]) }
    case .object(let value): (present as? NSObject)?.isEqual(value.object) ?? false
    }
  }

  /// An object's value for an attribute; nil for a value that a seed cannot express.
  static func present(_ present: Any?, of attribute: NSAttributeDescription) -> PlannedValue? {
    guard let present, !(present is NSNull) else { return .null }
    switch attribute.attributeType {
    case .doubleAttributeType: return (present as? NSNumber).map { .double($0.doubleValue) }
    case .floatAttributeType: return (present as? NSNumber).map { .float($0.floatValue) }
    case .booleanAttributeType: return (present as? NSNumber).map { .bool($0.boolValue) }
    case .binaryDataAttributeType: return (present as? Data).map { .data($0) }
    case .transformableAttributeType: return SeedValue(plain: present).map { .plain($0) }
    case .compositeAttributeType:
      guard let values = present as? [String: Any],
        let elements = (attribute as? NSCompositeAttributeDescription)?.elements
      else { return nil }
      var parts: [String: PlannedValue] = [:]
      for element in elements {
        guard let part = Self.present(values[element.name], of: element) else { return nil }
        if part != .null { parts[element.name] = part }
      }
      return .composite(parts)
    default: return PlannedValue(present, of: attribute.attributeType)
    }
  }

  /// The value that an object has for an attribute that can be a natural key.
  init?(_ present: Any?, of type: NSAttributeType) {
    let value: PlannedValue? =
      switch type {
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
        (present as? NSNumber).map { .integer($0.int64Value) }
      case .decimalAttributeType: (present as? NSDecimalNumber).map { .decimal($0.decimalValue) }
      case .stringAttributeType: (present as? String).map { .string($0) }
      case .dateAttributeType: (present as? Date).map { .date($0) }
      case .UUIDAttributeType: (present as? UUID).map { .uuid($0) }
      case .URIAttributeType: (present as? URL).map { .url($0) }
      default: nil
      }
    guard let value else { return nil }
    self = value
  }

  /// Checks that a SQLite store can hold the value. It holds whole numbers of 64 bits as they
  /// are, and other decimal numbers as floating-point numbers.
  ///
  /// - Throws: An `AttributeConversion.Failure` for a decimal number that it cannot hold.
  func checkIsStorable() throws(AttributeConversion.Failure) {
    switch self {
    case .composite(let values):
      for value in values.values { try value.checkIsStorable() }
    case .decimal(let number):
      let text = "\(number)"
      guard Int64(text) == nil, Double(text).flatMap({ Decimal(string: "\($0)") }) != number else { return }
      throw AttributeConversion.Failure(
        problem:
          "a SQLite store would round \(text.abbreviated), since it keeps about 15 digits of a Decimal",
        remedy: "give fewer digits, or make the attribute a String"
      )
    default: return
    }
  }

  /// The words by which an error names the value.
  var words: String {
    switch self {
    case .string(let text): "\"\(text.abbreviated)\""
    case .date(let date): ISO8601Date.words(date)
    default: object.map { "\($0)".abbreviated } ?? "null"
    }
  }
}

/// An object that does not change any more.
struct ObjectValue: Hashable, @unchecked Sendable {
  let object: NSObject

  init(_ object: NSObject) { self.object = object }

  static func == (one: Self, other: Self) -> Bool { one.object.isEqual(other.object) }

  func hash(into hasher: inout Hasher) { hasher.combine(object.hash) }
}
