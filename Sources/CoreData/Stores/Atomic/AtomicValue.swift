import Foundation

/// The values of attributes as texts, for formats of text, and back.
struct AtomicValue {
  let attribute: NSAttributeDescription

  /// The name of the attribute's type, as seen in Apple-made files where it was (string, bool,
  /// int16, binary).
  var typeName: String {
    switch attribute.attributeType {
    case .integer16AttributeType: "int16"
    case .integer32AttributeType: "int32"
    case .integer64AttributeType: "int64"
    case .booleanAttributeType: "bool"
    case .doubleAttributeType: "double"
    case .floatAttributeType: "float"
    case .decimalAttributeType: "decimal"
    case .dateAttributeType: "date"
    case .stringAttributeType: "string"
    case .UUIDAttributeType: "uuid"
    case .URIAttributeType: "uri"
    default: "binary"
    }
  }

  func text(_ value: StoredValue) throws -> String {
    switch value {
    case .null, .reference: ""
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .text(let value): value
    case .data(let value): value.base64EncodedString()
    case .uuid(let value): value.uuidString
    case .decimal(let value): "\(value)"
    case .object(let url as URL): url.absoluteString
    case .object(let object): try data(object).base64EncodedString()
    }
  }

  /// - Returns: `nil` for a text that is no value of the attribute's type.
  func value(_ text: String) -> StoredValue? {
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
      Int64(text).map(StoredValue.integer)
    case .doubleAttributeType, .floatAttributeType, .dateAttributeType: Double(text).map(StoredValue.real)
    case .decimalAttributeType: decimal(text).map(StoredValue.decimal)
    case .stringAttributeType: .text(text)
    case .UUIDAttributeType: UUID(uuidString: text).map(StoredValue.uuid)
    case .URIAttributeType: URL(string: text).map { .object($0) }
    default:
      (Data(base64Encoded: text) ?? Data(base64Encoded: text.filter { !$0.isWhitespace })).flatMap(value)
    }
  }

  /// `Decimal(string:)` reads as far as it can.
  private func decimal(_ text: String) -> Decimal? {
    guard text == "NaN" || Double(text) != nil else { return nil }
    return Decimal(string: text, locale: nil)
  }

  /// The archive of the object of a transformable or composite attribute.
  func data(_ object: Any) throws -> Data {
    let object = (object as? [String: Any]).map { NSDictionary(dictionary: $0) as Any } ?? object
    return try AttributeCoding.encode(object, attribute)
  }

  /// - Returns: `nil` for data that is no value of the attribute's type.
  func value(_ data: Data) -> StoredValue? {
    if attribute.attributeType == .binaryDataAttributeType { return .data(data) }
    guard let object = AttributeCoding.decode(data, attribute) else { return .null }
    guard attribute.attributeType == .compositeAttributeType else { return .object(object) }
    guard let values = object as? NSDictionary as? [String: Any] else { return nil }
    return AttributeValue.stored(values, of: attribute)
  }
}
