import CoreData
import Foundation

/// How a seed spells the value of an attribute, so that reading it gives the same value.
enum SeedWords {
  /// - Returns: nil for a value that no seed can say.
  static func value(_ value: Any, of attribute: NSAttributeDescription) -> ResultValue? {
    switch attribute.attributeType {
    case .dateAttributeType: (value as? Date).map(date)
    // Digits in a string lose none, whoever reads the file.
    case .decimalAttributeType: (value as? NSDecimalNumber).map { .text("\($0.decimalValue)") }
    case .UUIDAttributeType: (value as? UUID).map { .text($0.uuidString) }
    case .URIAttributeType: (value as? URL).map { .text($0.absoluteString) }
    case .transformableAttributeType: plain(value)
    case .compositeAttributeType: composite(value, attribute)
    default: ResultValue(value, of: attribute)
    }
  }

  private static func finite(_ value: ResultValue) -> ResultValue? {
    if case .real(let number) = value, !number.isFinite { return nil }
    return value
  }

  /// With as many digits of a second as the date takes.
  private static func date(_ date: Date) -> ResultValue {
    let seconds = date.timeIntervalSinceReferenceDate
    let whole = seconds.rounded(.down)
    let text = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
    guard seconds != whole, text.hasSuffix("Z") else { return .text(text) }
    for digits in 1...17 {
      let fraction = String(format: "%.\(digits)f", seconds - whole)
      if fraction.hasPrefix("0"), let read = Double(fraction), whole + read == seconds {
        return .text("\(text.dropLast())\(fraction.dropFirst())Z")
      }
    }
    return .text(text)
  }

  /// Foundation's plain objects, which a transformable attribute takes from a seed.
  private static func plain(_ value: Any) -> ResultValue? {
    switch value {
    case let text as String: return .text(text)
    case let number as NSNumber:
      if String(cString: number.objCType) == "c" { return .bool(number.boolValue) }
      if let whole = Int64(exactly: number.doubleValue), number.doubleValue.magnitude < 1e15 {
        return .integer(whole)
      }
      return finite(.real(number.doubleValue))
    case is NSNull: return ResultValue.none
    case let date as Date: return .fields(["$date": Self.date(date)])
    case let data as Data: return .fields(["$data": .text(data.base64EncodedString())])
    case let array as [Any]:
      let values = array.compactMap(plain)
      return values.count == array.count ? .list(values) : nil
    case let dictionary as [String: Any]:
      let fields = dictionary.compactMapValues(plain)
      return fields.count == dictionary.count ? .fields(fields) : nil
    default: return nil
    }
  }

  private static func composite(_ value: Any, _ attribute: NSAttributeDescription) -> ResultValue? {
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
