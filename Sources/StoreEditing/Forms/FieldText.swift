import CoreData
import Foundation
import ModelFormats
import Seeding
import StoreExploration

/// Converts values to editable texts and back.
struct FieldText {
  /// The longest text in a form, in bytes of UTF-8.
  static let longest = 100_000
  /// The longest number, in bytes. Every number of a store is shorter.
  private static let longestNumber = 400
  private static let decimalDigits = 38

  let attribute: NSAttributeDescription

  /// The value's text, which ``value(of:)`` reads.
  static func text(_ value: ShownValue) -> String {
    switch value {
    case .none, .data, .fields, .described: ""
    case .text(let text), .number(let text), .address(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .date(let date): ShownDate.text(date)
    case .uuid(let uuid): uuid.uuidString
    }
  }

  /// Parses a text.
  ///
  /// - Throws: a `Misspelling` that describes the expected form.
  func value(of text: String) throws(Misspelling) -> Any {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let kind = AttributeKind(attribute.attributeType)
    switch kind.storage {
    case .text: return try string(text)
    case .integer: return try integer(trimmed, range: kind.range ?? .min ... .max)
    case .real where kind.type == .float:
      if let number = Float(try digits(trimmed)), number.isFinite { return NSNumber(value: number) }
      throw Misspelling("The number is too large for a Float.")
    case .real:
      if let number = Double(try digits(trimmed)), number.isFinite { return NSNumber(value: number) }
      throw Misspelling("The number is too large for a Double.")
    case .decimal: return try decimal(trimmed)
    case .boolean:
      switch trimmed.lowercased() {
      case "true", "yes", "1": return NSNumber(value: true)
      case "false", "no", "0": return NSNumber(value: false)
      default: throw Misspelling("Write true or false.")
      }
    case .date:
      if let date = ISO8601Date.parse(trimmed) { return date }
      throw Misspelling("Write a date in the years 0 to 9999, such as 2024-03-17 or 2024-03-17 13:45:39Z.")
    case .uuid:
      if let uuid = UUID(uuidString: trimmed) { return uuid }
      throw Misspelling("Write a UUID, such as 0E984725-C51C-4BF4-9960-E1C80E27ABA0.")
    case .uri:
      if let url = URL(string: trimmed, encodingInvalidCharacters: false) { return url }
      throw Misspelling("Write a URI, such as https://example.org/, with spaces as %20.")
    case .data, .transformable, .composite, .none:
      throw Misspelling("The value cannot be written as a text.")
    }
  }

  /// Describes the problem of a text and the expected form.
  struct Misspelling: Error {
    let message: String

    init(_ message: String) { self.message = message }
  }

  private func string(_ text: String) throws(Misspelling) -> String {
    if text.utf8.contains(0) { throw Misspelling("A text cannot have the character NUL.") }
    if text.utf8.count <= Self.longest { return text }
    throw Misspelling("The text has \(text.utf8.count) bytes; a form takes \(Self.longest) at most.")
  }

  private func integer(_ text: String, range: ClosedRange<Int64>) throws(Misspelling) -> NSNumber {
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard !digits.isEmpty, text.count - digits.count <= 1, digits.allSatisfy({ ("0"..."9").contains($0) })
    else { throw Misspelling("Write a whole number in digits, such as -12.") }
    guard let number = Int64(text), range.contains(number) else {
      throw Misspelling(
        "The number is out of range: \(attribute.shownType) has \(range.lowerBound) to \(range.upperBound)."
      )
    }
    return NSNumber(value: number)
  }

  /// Checks a number that may have a fraction or an exponent, in the spelling of programming languages.
  private func digits(_ text: String) throws(Misspelling) -> String {
    if text.utf8.count <= Self.longestNumber,
      text.wholeMatch(of: /[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?/) != nil
    {
      return text
    }
    throw Misspelling("Write a number in digits, such as -12.5 or 1e-3.")
  }

  private func decimal(_ text: String) throws(Misspelling) -> NSDecimalNumber {
    let text = try digits(text)
    let mantissa = text.prefix { $0 != "e" && $0 != "E" }.filter { ("0"..."9").contains($0) }
    guard mantissa.drop(while: { $0 == "0" }).count <= Self.decimalDigits else {
      throw Misspelling("A Decimal has \(Self.decimalDigits) digits at most.")
    }
    guard let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !number.isNaN else {
      throw Misspelling("The number is too large for a Decimal.")
    }
    return NSDecimalNumber(decimal: number)
  }

  // MARK: - Stamps

  /// A hash of the value. Different line endings of a form do not change it.
  static func stamp(_ text: String, isNone: Bool) -> String {
    var hasher = Hasher()
    hasher.combine(isNone)
    hasher.combine(unified(text))
    return String(UInt(bitPattern: hasher.finalize()), radix: 16)
  }

  /// The text with LF line endings. Forms send CRLF.
  static func unified(_ text: String) -> String {
    var unified = String.UnicodeScalarView()
    var wasReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\r" {
        unified.append("\n")
      } else if scalar != "\n" || !wasReturn {
        unified.append(scalar)
      }
      wasReturn = scalar == "\r"
    }
    return String(unified)
  }
}
