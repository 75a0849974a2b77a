import CoreData
import Foundation

/// The values of attributes as a seed spells them, so that reading it gives the same values.
enum SeedWords {
  /// - Returns: nil for a value that a seed cannot express.
  static func value(_ value: Any, of attribute: NSAttributeDescription) -> ResultValue? {
    switch attribute.attributeType {
    case .dateAttributeType: (value as? Date).flatMap(date)
    // As a string, the number keeps all digits in every reader.
    case .decimalAttributeType: (value as? NSDecimalNumber).map { .text("\($0.decimalValue)") }
    case .UUIDAttributeType: (value as? UUID).map { .text($0.uuidString) }
    case .URIAttributeType: (value as? URL).map { .text($0.absoluteString) }
    // A value that the attribute's class rejects could not be imported again.
    case .transformableAttributeType: TransformableConversion.takes(value, for: attribute) ? plain(value) : nil
    case .compositeAttributeType: composite(value, attribute: attribute)
    default: ResultValue(value, of: attribute)
    }
  }

  private static func finite(_ value: ResultValue) -> ResultValue? {
    if case .real(let number) = value, !number.isFinite { return nil }
    return value
  }

  /// Nil for a date outside of the range of seeds.
  private static func date(_ date: Date) -> ResultValue? { ISO8601Date.text(date).map(ResultValue.text) }

  /// Foundation's plain objects, which a transformable attribute takes from a seed.
  private static func plain(_ value: Any) -> ResultValue? {
    switch value {
    case let text as String: return .text(text)
    case let number as NSNumber: return self.number(number)
    case is NSNull: return ResultValue.none
    case let date as Date: return Self.date(date).map { .fields([TransformableConversion.dateKey: $0]) }
    case let data as Data: return .fields([TransformableConversion.dataKey: .text(data.base64EncodedString())])
    case let url as URL: return .fields([TransformableConversion.urlKey: .text(url.absoluteString)])
    case let uuid as UUID: return .fields([TransformableConversion.uuidKey: .text(uuid.uuidString)])
    case let set as NSSet: return self.set(set.allObjects)
    case let set as Set<AnyHashable>: return self.set(set.map(\.base))
    case let array as [Any]:
      let values = array.compactMap(plain)
      return values.count == array.count ? .list(values) : nil
    case let dictionary as [String: Any]:
      let fields = dictionary.compactMapValues(plain)
      guard fields.count == dictionary.count else { return nil }
      // An object that would be read as another value is marked as an object.
      let isAmbiguous =
        fields.count == 1 && fields.keys.contains(where: TransformableConversion.keys.contains)
      return isAmbiguous ? .fields([TransformableConversion.objectKey: .fields(fields)]) : .fields(fields)
    default: return nil
    }
  }

  /// The elements by their texts, so that equal sets have equal words.
  private static func set(_ objects: [Any]) -> ResultValue? {
    let values = objects.compactMap(plain)
    guard values.count == objects.count else { return nil }
    let sorted = values.map { (value: $0, text: (try? SeedJSON.text($0)) ?? $0.plainText) }
      .sorted { $0.text < $1.text }
    return .fields([TransformableConversion.setKey: .list(sorted.map(\.value))])
  }

  /// With all the digits that the number has.
  private static func number(_ number: NSNumber) -> ResultValue? {
    if let decimal = number as? NSDecimalNumber {
      return decimal.decimalValue.isFinite ? .decimal(decimal.decimalValue) : nil
    }
    switch String(cString: number.objCType) {
    // The type that Foundation gives to numbers made from Swift's `Bool`.
    case "c": return .bool(number.boolValue)
    case "d", "f": return finite(.real(number.doubleValue))
    case "Q": return .decimal(Decimal(number.uint64Value))
    default: return .integer(number.int64Value)
    }
  }

  private static func composite(_ value: Any, attribute: NSAttributeDescription) -> ResultValue? {
    guard let values = value as? [String: Any] else { return nil }
    let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
    var fields: [String: ResultValue] = [:]
    for element in elements {
      guard let value = values[element.name], !(value is NSNull) else { continue }
      guard let words = Self.value(value, of: element) else { return nil }
      fields[element.name] = words
    }
    return .fields(fields)
  }
}

/// The attributes of an object, as its record has them.
enum AttributeWords {
  /// - Parameter omit: Called with each value that a seed cannot express, in words.
  static func fields(of object: NSManagedObject, omit: (String) -> Void) -> [String: ResultValue] {
    var fields: [String: ResultValue] = [:]
    for (name, attribute) in object.entity.attributesByName
    where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
      if let value = value(of: attribute, object: object, omit) { fields[name] = value }
    }
    return fields
  }

  /// A null is written only if the attribute has a default value, which a new object would otherwise get.
  private static func value(
    of attribute: NSAttributeDescription,
    object: NSManagedObject,
    _ omit: (String) -> Void
  ) -> ResultValue? {
    guard let present = object.value(forKey: attribute.name) else {
      return attribute.defaultValue == nil ? nil : ResultValue.none
    }
    if let value = SeedWords.value(present, of: attribute) { return value }
    omit("\(object.entity.name ?? "").\(attribute.name) with \(words(present))")
    return nil
  }

  private static func words(_ value: Any) -> String {
    guard let date = value as? Date else { return "values of the class \(type(of: value))" }
    return "the date \(ISO8601Date.words(date))"
  }
}
