import Foundation
import ModelFormats

/// The values of attributes as texts, for formats of text, and back.
struct AtomicValue {
  let attribute: NSAttributeDescription

  /// The name of the attribute's type. Apple-made files have shown these: string, bool, int16, binary.
  var typeName: String { AttributeKind(attribute.attributeType).storeName }

  func text(_ value: StoredValue) throws -> String {
    switch value {
    case .null, .reference: ""
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .text(let value): value
    case .data(let value): value.base64EncodedString()
    case .uuid(let value): value.uuidString
    case .decimal(let value): try checked(value)
    case .object(let url as URL): try checked(url)
    case .object(let object): try data(object).base64EncodedString()
    }
  }

  /// - Returns: `nil` for a text that does not represent a value of the attribute's type.
  func value(_ text: String) -> StoredValue? {
    switch attribute.attributeType.storage {
    case .integer, .boolean: Int64(text).map(StoredValue.integer)
    case .real, .date: Double(text).map(StoredValue.real)
    case .decimal: decimal(text).map(StoredValue.decimal)
    case .text: .text(text)
    case .uuid: UUID(uuidString: text).map(StoredValue.uuid)
    case .uri: URL(string: text).map { .object($0) }
    case .data, .transformable, .composite, .none:
      (Data(base64Encoded: text) ?? Data(base64Encoded: text.filter { !$0.isWhitespace })).flatMap(value)
    }
  }

  /// `Decimal(string:)` reads as far as it can, and does not read the description of no number.
  private func decimal(_ text: String) -> Decimal? {
    if text == "NaN" { return .nan }
    return Double(text) == nil ? nil : Decimal(string: text, locale: nil)
  }

  private func checked(_ decimal: Decimal) throws -> String {
    let text = "\(decimal)"
    guard let read = self.decimal(text), read == decimal || (read.isNaN && decimal.isNaN) else {
      throw unwritable(text)
    }
    return text
  }

  private func checked(_ url: URL) throws -> String {
    guard URL(string: url.absoluteString) != nil else { throw unwritable(url.absoluteString) }
    return url.absoluteString
  }

  /// The archive of the object of a transformable or composite attribute.
  func data(_ object: Any) throws -> Data {
    let values = object as? [String: Any]
    let data = try AttributeCoding.encode(
      values.map { NSDictionary(dictionary: $0) as Any } ?? object,
      attribute: attribute
    )
    if attribute.attributeType == .compositeAttributeType, value(data) == nil { throw unwritable("\(object)") }
    return data
  }

  /// The error of a value that would make a store which cannot be opened again.
  private func unwritable(_ value: String) -> any Error {
    StoreFailure.save(
      """
      "\(value.prefix(60))", a value of \(attribute.modelPath), cannot be kept in a store of this type, which could not \
      be opened again; give another value, or use a SQLite store.
      """,
      details: [NSValidationKeyErrorKey: attribute.name]
    )
  }

  /// - Returns: `nil` for data that does not represent a value of the attribute's type.
  func value(_ data: Data) -> StoredValue? {
    if attribute.attributeType == .binaryDataAttributeType { return .data(data) }
    guard let object = AttributeCoding.decode(data, attribute: attribute) else { return .null }
    guard attribute.attributeType == .compositeAttributeType else { return .object(object) }
    guard let values = object as? NSDictionary as? [String: Any] else { return nil }
    return AttributeValue.stored(values, of: attribute)
  }
}
