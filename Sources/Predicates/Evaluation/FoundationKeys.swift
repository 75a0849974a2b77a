import Foundation

/// The keys of values that are not the user's own objects: key-value coding finds them on Apple's
/// platforms because the Foundation classes have methods with these names.
enum FoundationKeys {
  /// The value of a key; `nil` when the type has no such key.
  static func value(of key: String, in value: EvaluatedValue) -> EvaluatedValue? {
    switch value {
    case .text(let text): self.value(of: key, in: text)
    case .number(let number): self.value(of: key, in: number)
    case .date(let seconds): self.value(of: key, in: Date(timeIntervalSinceReferenceDate: seconds))
    case .object(let uuid as UUID): key == "UUIDString" ? .text(uuid.uuidString) : nil
    case .object(let url as URL): self.value(of: key, in: url)
    case .object(let data as Data): key == "length" ? .number(.integer(Int64(data.count))) : nil
    default: nil
    }
  }

  private static func value(of key: String, in text: String) -> EvaluatedValue? {
    switch key {
    case "length": .number(.integer(Int64(text.utf16.count)))
    case "uppercaseString": .text(text.uppercased())
    case "lowercaseString": .text(text.lowercased())
    case "capitalizedString": .text(text.capitalized)
    case "intValue", "integerValue", "longLongValue":
      .number(.integer((text as NSString).longLongValue))
    case "doubleValue", "floatValue": .number(.double((text as NSString).doubleValue))
    case "boolValue": .number(.integer((text as NSString).boolValue ? 1 : 0))
    case "description": .text(text)
    case "lastPathComponent": .text((text as NSString).lastPathComponent)
    case "pathExtension": .text((text as NSString).pathExtension)
    default: nil
    }
  }

  private static func value(of key: String, in number: NumberValue) -> EvaluatedValue? {
    switch key {
    case "intValue", "integerValue", "longLongValue", "longValue":
      number.truncated.map { .number(.integer(Int64($0))) } ?? .null
    case "doubleValue", "floatValue": .number(.double(number.double))
    case "boolValue": .number(.integer(number.double != 0 ? 1 : 0))
    case "stringValue", "description": .text("\(number.any)")
    default: nil
    }
  }

  private static func value(of key: String, in date: Date) -> EvaluatedValue? {
    switch key {
    case "timeIntervalSinceReferenceDate": .number(.double(date.timeIntervalSinceReferenceDate))
    case "timeIntervalSince1970": .number(.double(date.timeIntervalSince1970))
    case "timeIntervalSinceNow": .number(.double(date.timeIntervalSinceNow))
    default: nil
    }
  }

  private static func value(of key: String, in url: URL) -> EvaluatedValue? {
    switch key {
    case "absoluteString", "description": .text(url.absoluteString)
    case "path": .text(url.path)
    case "host": EvaluatedValue(url.host)
    case "scheme": EvaluatedValue(url.scheme)
    case "query": EvaluatedValue(url.query)
    case "fragment": EvaluatedValue(url.fragment)
    case "lastPathComponent": .text(url.lastPathComponent)
    case "pathExtension": .text(url.pathExtension)
    default: nil
    }
  }
}
