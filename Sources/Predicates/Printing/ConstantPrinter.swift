import Foundation

/// Writes constants in the format language.
enum ConstantPrinter {
  static func text(of value: Any?) -> String {
    guard let value else { return "nil" }
    // As Apple's predicates print the object.
    if value is NSNull { return "<null>" }
    switch EvaluatedValue(value) {
    case .null: return "nil"
    case .number(let number): return text(of: number)
    case .text(let text): return quoted(text)
    case .date(let seconds): return "CAST(\(timestamp(seconds)), \"NSDate\")"
    case .object(let object): return text(ofObject: object)
    }
  }

  private static func text(ofObject object: Any) -> String {
    if let elements = CollectionValue.elements(of: object) {
      return "{" + elements.map(text(of:)).joined(separator: ", ") + "}"
    }
    switch object {
    case let symbol as CollectionIndex: return symbol.rawValue
    case let uuid as UUID: return "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
    case let url as URL: return "CAST(\(quoted(url.absoluteString)), \"NSURL\")"
    case let data as Data: return "CAST(\"\(data.base64EncodedString())\", \"NSData\")"
    case let expression as NSExpression: return ExpressionPrinter.text(of: expression)
    case let predicate as NSPredicate: return PredicatePrinter.text(of: predicate)
    default: return "\(object)"
    }
  }

  private static func text(of number: NumberValue) -> String {
    switch number {
    case .integer(let number): return "\(number)"
    case .unsigned(let number): return "\(number)"
    case .decimal(let number): return number.isNaN ? "CAST(\"nan\", \"NSNumber\")" : "\(number)"
    case .double(let number):
      guard number.isFinite else { return "CAST(\"\(number)\", \"NSNumber\")" }
      return exact(number)
    }
  }

  /// The shortest text that reads as the same number; whole numbers have no fraction.
  private static func exact(_ number: Double) -> String {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return "\(whole)" }
    return "\(number)"
  }

  /// Seconds with six decimals, as Apple's dates are printed; with more where six would be another date.
  private static func timestamp(_ seconds: Double) -> String {
    let text = String(format: "%.6f", seconds)
    return Double(text) == seconds ? text : exact(seconds)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
