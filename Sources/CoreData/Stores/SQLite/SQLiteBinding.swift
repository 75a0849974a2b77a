import Foundation

/// Makes the values that columns keep of attributes' values.
enum SQLiteBinding {
  /// The value that rows have when nothing was said; `nil` when that is null.
  static func defaultValue(of attribute: NSAttributeDescription) throws -> SQLValue? {
    let stored = AttributeValue.defaultValue(of: attribute)
    if case .null = stored { return nil }
    let value = try value(stored, of: attribute)
    if attribute.allowsExternalBinaryDataStorage, case .blob(let data) = value {
      return .blob(ExternalDataFolder.inline(data))
    }
    return value
  }

  /// The value that a column keeps of an attribute's value, as long as it keeps the value itself.
  static func value(_ stored: StoredValue, of attribute: NSAttributeDescription) throws -> SQLValue {
    switch stored {
    case .null: return .null
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .text(let value): return .text(value)
    case .data(let data): return .blob(data)
    case .uuid(let uuid): return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    case .decimal(let decimal): return SQLConstants.binding(decimal) ?? .null
    case .object(let url as URL) where attribute.attributeType == .URIAttributeType:
      return .text(url.absoluteString)
    case .object(let object) where attribute.attributeType == .transformableAttributeType:
      return .blob(try AttributeCoding.encode(object, attribute))
    case .object, .reference:
      throw StoreFailure.error(
        NSPersistentStoreSaveError,
        "\(attribute.modelPath): \(stored) is no value of the attribute's type."
      )
    }
  }
}
