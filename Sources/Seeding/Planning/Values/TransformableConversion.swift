import CoreData
import Foundation

/// Converts a seed's value to one of a transformable attribute: a string, number, boolean, list or object, as
/// Foundation's classes. `{"$date": "2024-03-17"}` is a date in it, and `{"$data": "SGk="}` is data. As the whole
/// value, data is the stored form of an object whose class is not available here. `{"$url": "..."}`, `{"$uuid": "..."}`
/// and `{"$set": [...]}` are a URL, a UUID and a set, and need no mark if the attribute's class implies them.
/// `{"$object": {...}}` is the object itself, if it would otherwise be read as one of these.
package enum TransformableConversion {
  package static let dateKey = "$date"
  package static let dataKey = "$data"
  package static let objectKey = "$object"
  package static let urlKey = "$url"
  package static let uuidKey = "$uuid"
  package static let setKey = "$set"

  /// The keys of objects that represent another value if they are the object's only key.
  package static let keys: Set<String> = [dateKey, dataKey, objectKey, urlKey, uuidKey, setKey]

  static func convert(_ value: SeedValue, to attribute: NSAttributeDescription) throws(AttributeConversion
    .Failure)
    -> PlannedValue
  {
    let value = try decoded(value)
    if case .data(let data) = value { return .data(data) }
    let plain = try checked(value, attribute: attribute)
    guard ["NSDecimalNumber", "Decimal"].contains(attribute.attributeValueClassName) else { return .plain(plain) }
    return plain.decimal.map(PlannedValue.decimal) ?? .plain(plain)
  }

  /// True if a seed can express an object for the attribute without a loss.
  static func takes(_ object: Any, for attribute: NSAttributeDescription) -> Bool {
    guard let value = SeedValue(plain: object) else { return false }
    if case .data = value { return true }
    return TransformableClass(named: attribute.attributeValueClassName).map { $0.mismatch(value) == nil }
      ?? false
  }

  private static func decoded(_ value: SeedValue) throws(AttributeConversion.Failure) -> SeedValue {
    switch value {
    case .array(let values):
      var decoded: [SeedValue] = []
      for value in values { decoded.append(try Self.decoded(value)) }
      return .array(decoded)
    case .object(let fields):
      if fields.count == 1, let single = try special(fields[0]) { return single }
      return try object(fields)
    case .number(let digits):
      guard value.decimal != nil || Double(digits)?.isFinite == true else {
        throw AttributeConversion.mismatch(value, "Transformable", "a smaller number")
      }
      return value
    case .date(let date): return .date(try AttributeConversion.checked(date))
    default: return value
    }
  }

  private static func object(_ fields: [SeedField]) throws(AttributeConversion.Failure) -> SeedValue {
    var decoded: [SeedField] = []
    for field in fields { decoded.append(SeedField(key: field.key, value: try Self.decoded(field.value))) }
    return .object(decoded)
  }

  private static func special(_ field: SeedField) throws(AttributeConversion.Failure) -> SeedValue? {
    switch (field.key, field.value) {
    case (dateKey, .string(let text)):
      guard let date = ISO8601Date.parse(text) else {
        throw DateStrategy.iso8601.lacksZone(field.value)
          ? DateStrategy.withoutZone(field.value)
          : AttributeConversion.mismatch(field.value, "Date", DateStrategy.iso8601.expected)
      }
      return .date(date)
    case (dataKey, .string(let text)):
      guard let data = Data(base64Encoded: text) else {
        throw AttributeConversion.mismatch(field.value, "Binary Data", "the bytes as a string in Base64")
      }
      return .data(data)
    case (objectKey, .object(let fields)): return try object(fields)
    case (urlKey, .string(let text)):
      guard !text.isEmpty, let url = URL(string: text) else {
        throw AttributeConversion.mismatch(field.value, "URL", "a URL such as https://example.com/notes")
      }
      return .url(url)
    case (uuidKey, .string(let text)):
      guard let uuid = UUID(uuidString: text) else {
        throw AttributeConversion.mismatch(field.value, "UUID", "a string such as E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
      }
      return .uuid(uuid)
    case (setKey, .array(let values)):
      var decoded: Set<SeedValue> = []
      for value in values { decoded.insert(try Self.decoded(value)) }
      return .set(decoded)
    default: return nil
    }
  }

  private static func checked(
    _ value: SeedValue,
    attribute: NSAttributeDescription
  ) throws(AttributeConversion.Failure) -> SeedValue {
    let name = attribute.attributeValueClassName
    guard let kind = TransformableClass(named: name) else {
      throw AttributeConversion.Failure(
        problem: "a Transformable of class \(name ?? "NSObject") cannot be given in a seed",
        remedy: "remove the key, or give the attribute the class NSString, NSNumber, NSArray or NSDictionary"
      )
    }
    let value = kind.read(value)
    guard let (part, expected) = kind.mismatch(value) else { return value }
    throw AttributeConversion.mismatch(part, "Transformable of class \(name ?? "NSObject")", expected)
  }
}
