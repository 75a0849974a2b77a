import Foundation

/// The types that CAST turns a value into.
package enum CastType: String, CaseIterable, Sendable {
  case number = "NSNumber"
  case decimal = "NSDecimalNumber"
  case text = "NSString"
  /// From seconds since the reference date, 1 January 2001.
  case date = "NSDate"
  case uuid = "NSUUID"
  case url = "NSURL"
  /// From text in Base64.
  case data = "NSData"

  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The value as this type.
  func converted(_ value: Any) throws(PredicateEvaluationError) -> Any {
    let evaluated = EvaluatedValue(value)
    let result: Any? =
      switch (self, evaluated) {
      case (.number, .number), (.text, .text), (.date, .date): evaluated.any
      case (.number, .text(let text)): Int(text) ?? Double(text)
      case (.number, .date(let seconds)): seconds
      case (.decimal, .number(let number)): number.decimal
      case (.decimal, .text(let text)): Decimal(string: text)
      case (.text, .number(let number)): "\(number.any)"
      case (.text, .object(let object as UUID)): object.uuidString
      case (.text, .object(let object as URL)): object.absoluteString
      case (.text, .object(let object as Data)): object.base64EncodedString()
      case (.date, .number(let number)): Date(timeIntervalSinceReferenceDate: number.double)
      case (.uuid, .object(let object as UUID)): object
      case (.uuid, .text(let text)): UUID(uuidString: text)
      case (.url, .object(let object as URL)): object
      case (.url, .text(let text)): URL(string: text)
      case (.data, .object(let object as Data)): object
      case (.data, .text(let text)): Data(base64Encoded: text)
      default: nil
      }
    guard let result else {
      throw PredicateEvaluationError("A value that is \(evaluated.typeName) cannot be cast to \(rawValue)")
    }
    return result
  }
}
