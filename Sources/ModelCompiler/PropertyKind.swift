import ModelFormats

/// The kinds of values that must not be confused with each other, such as texts and dates.
enum PropertyKind: String, CaseIterable {
  case text, number, date, data, uuid, url, collection

  /// - Returns: `nil` for an attribute that may have any Swift type.
  init?(_ attribute: ModelDocument.Attribute) {
    switch AttributeKind(attribute.type ?? .undefined).storage {
    case .text: self = .text
    case .integer, .real, .boolean, .decimal: self = .number
    // A date with a scalar type is a number of seconds.
    case .date:
      if attribute.usesScalarValueType == true { return nil }
      self = .date
    case .data: self = .data
    case .uuid: self = .uuid
    case .uri: self = .url
    case .transformable, .composite, .none: return nil
    }
  }

  /// - Returns: `nil` for an unknown type, such as an enumeration of the target.
  init?(swiftType: String) {
    let name = swiftType.trimmingSuffix { $0 == "?" || $0 == "!" }
    let base = name.prefix { $0 != "<" }
    switch base {
    case "String", "NSString": self = .text
    case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double",
      "Float",
      "Bool", "Decimal", "NSNumber", "NSDecimalNumber":
      self = .number
    case "Date", "NSDate": self = .date
    case "Data", "NSData": self = .data
    case "UUID", "NSUUID": self = .uuid
    case "URL", "NSURL": self = .url
    case "Set", "NSSet", "NSOrderedSet": self = .collection
    default: return nil
    }
  }

  /// The kind of the model's property, for a warning.
  var words: String {
    switch self {
    case .text: "a string"
    case .number: "a number"
    case .date: "a date"
    case .data: "binary data"
    case .uuid: "a UUID"
    case .url: "a URI"
    case .collection: "a to-many relationship"
    }
  }

  /// The types that the source can declare.
  var types: String {
    switch self {
    case .text: "String?"
    case .number: "a number"
    case .date: "Date?"
    case .data: "Data?"
    case .uuid: "UUID?"
    case .url: "URL?"
    case .collection: "NSSet? or a Set"
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, isTrimmed(last) { rest = rest.dropLast() }
    return rest
  }
}
