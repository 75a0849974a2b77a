import Foundation

/// Makes the values that columns keep of attributes' values.
package struct SQLBinding {
  let dialect: any SQLDialect

  package init(dialect: any SQLDialect) { self.dialect = dialect }

  /// The default value of a column; `nil` when that is null.
  func defaultValue(of attribute: NSAttributeDescription) throws -> SQLValue? {
    let stored = AttributeValue.defaultValue(of: attribute)
    if case .null = stored { return nil }
    let value = try value(stored, of: attribute)
    if attribute.allowsExternalBinaryDataStorage, case .blob(let data) = value {
      return .blob((dialect.externalDataMark ?? Data()) + data)
    }
    return value
  }

  /// The value that a column keeps of an attribute's value, as long as it keeps the value itself.
  package func value(_ stored: StoredValue, of attribute: NSAttributeDescription) throws -> SQLValue {
    switch stored {
    case .null: return .null
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .text(let value): return .text(value)
    case .data(let data): return .blob(data)
    case .uuid(let uuid): return dialect.binding(uuid)
    case .decimal(let decimal): return dialect.binding(decimal) ?? .null
    case .object(let url as URL) where attribute.attributeType == .URIAttributeType: return .text(url.absoluteString)
    case .object(let object) where attribute.attributeType == .transformableAttributeType:
      return .blob(try AttributeCoding.encode(object, attribute: attribute))
    case .object, .reference:
      throw StoreFailure.save("\(attribute.modelPath): \(stored) is not a value of the attribute's type.")
    }
  }

  /// The values of the elements of a composite attribute, each for a column of its own.
  ///
  /// - Parameter value: the value of the attribute.
  package func values(
    of elements: [CompositeElement],
    in value: StoredValue,
    of property: NSPropertyDescription
  ) throws -> [SQLValue] {
    var composite = CompositeValue([:])
    if case .object(let values as [String: Any]) = value { composite = CompositeValue(values) }
    return try elements.map { element in
      let attribute = element.attribute
      let value = composite[element.path.joined(separator: ".")]
      guard let stored = AttributeValue.stored(value, of: attribute) else {
        throw StoreFailure.save(
          "\(property.modelPath): \(value ?? "nil") is not a value of its element \(attribute.name)."
        )
      }
      return try self.value(stored, of: attribute)
    }
  }
}
