package import CoreData
import Foundation
import Texts

/// Converts a seed's value to an attribute's type.
///
/// | attribute | in the seed |
/// |---|---|
/// | Integer 16, 32, 64 | a whole number in the type's range |
/// | Double, Float | a number, or `"inf"`, `"-inf"`, `"nan"` |
/// | Decimal | a number of at most 38 digits, also as a string |
/// | Boolean | true, false, 1 or 0 |
/// | String | a string |
/// | Date | years 0 to 9999: seconds since 1970, ISO 8601 (`2024-03-17`), or by a `DateStrategy` |
/// | Binary Data | a string in Base64 |
/// | UUID, URI | a string |
/// | Transformable | what `TransformableConversion` reads |
/// | Composite | an object with the names of its elements as keys; the others stay as they are |
struct AttributeConversion {
  /// The reason that a value does not fit, in words for a `SeedError`.
  struct Failure: Error {
    var code = SeedError.Code.wrongType
    let problem: String
    let remedy: String
  }

  static func convert(
    _ value: SeedValue,
    to attribute: NSAttributeDescription,
    dates: DateStrategy
  ) throws(Failure) -> PlannedValue {
    if case .null = value { return .null }
    let value = value.read(as: attribute.attributeType)
    switch attribute.attributeType {
    case .integer16AttributeType: return try integer(value, in: Int64(Int16.min)...Int64(Int16.max), type: "Integer 16")
    case .integer32AttributeType: return try integer(value, in: Int64(Int32.min)...Int64(Int32.max), type: "Integer 32")
    case .integer64AttributeType: return try integer(value, in: Int64.min...Int64.max, type: "Integer 64")
    case .doubleAttributeType: return .double(try real(value, type: "Double", attribute: attribute))
    case .floatAttributeType: return .float(try float(value, attribute: attribute))
    case .decimalAttributeType: return .decimal(try decimal(value))
    case .stringAttributeType: return .string(try string(value, type: "String"))
    case .booleanAttributeType: return .bool(try bool(value))
    case .dateAttributeType: return .date(try date(value, dates: dates))
    case .binaryDataAttributeType: return .data(try data(value))
    case .UUIDAttributeType: return .uuid(try uuid(value))
    case .URIAttributeType: return .url(try url(value))
    case .transformableAttributeType: return try TransformableConversion.convert(value, to: attribute)
    case .compositeAttributeType: return try composite(value, attribute: attribute, dates: dates)
    default:
      throw Failure(
        problem: "an attribute of type \(attribute.attributeType) cannot be given in a seed",
        remedy: "remove the key"
      )
    }
  }

  static func mismatch(_ value: SeedValue, _ type: String, _ expected: String) -> Failure {
    let article = type.hasPrefix("I") ? "an" : "a"
    return Failure(problem: "\(value.kind) is not a value for \(article) \(type)", remedy: "give \(expected)")
  }

  private static func integer(
    _ value: SeedValue,
    in range: ClosedRange<Int64>,
    type: String
  ) throws(Failure) -> PlannedValue {
    switch value {
    case .integer(let number) where range.contains(number): return .integer(number)
    case .number(let digits):
      // 3.0 and 1e3 are whole numbers too, however they are spelled.
      if let number = JSONNumber.decimal(digits), let whole = Int64("\(number)"), range.contains(whole) {
        return .integer(whole)
      }
      throw mismatch(value, type, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    default: throw mismatch(value, type, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// The value of the words `inf`, `-inf` and `nan`, which JSON cannot express as numbers; nil for all others.
  private static func notFinite(_ value: SeedValue) -> Double? {
    guard case .string(let word) = value, ["inf", "-inf", "nan"].contains(word) else { return nil }
    return Double(word)
  }

  private static func real(_ value: SeedValue, type: String, attribute: NSAttributeDescription)
    throws(Failure) -> Double
  {
    switch value {
    case .integer(let number): return Double(number)
    case .number(let digits):
      guard let number = Double(digits), number.isFinite else { throw mismatch(value, type, "a smaller number") }
      return number
    default:
      guard let number = notFinite(value) else { throw mismatch(value, type, "a number") }
      guard !number.isNaN || attribute.isOptional else {
        throw Failure(
          problem: "SQLite stores have no value where a number is \"nan\", and the attribute requires one",
          remedy: "give a number"
        )
      }
      return number
    }
  }

  private static func float(_ value: SeedValue, attribute: NSAttributeDescription) throws(Failure) -> Float {
    let number = Float(try real(value, type: "Float", attribute: attribute))
    guard number.isFinite || notFinite(value) != nil else { throw mismatch(value, "Float", "a smaller number") }
    return number
  }

  private static func decimal(_ value: SeedValue) throws(Failure) -> Decimal {
    switch value {
    case .integer(let number): return Decimal(number)
    case .number(let digits), .string(let digits):
      guard JSONNumber.isValid(digits) else {
        throw mismatch(value, "Decimal", "a number such as 12.50, as a number or a string")
      }
      guard let number = JSONNumber.decimal(digits) else {
        throw Failure(
          problem: "\(value.kind) has more digits, or is larger or smaller, than a Decimal can be",
          remedy: "give at most 38 digits"
        )
      }
      return number
    default: throw mismatch(value, "Decimal", "a number such as 12.50, as a number or a string")
    }
  }

  private static func string(_ value: SeedValue, type: String) throws(Failure) -> String {
    guard case .string(let text) = value else { throw mismatch(value, type, "a string") }
    return text
  }

  private static func bool(_ value: SeedValue) throws(Failure) -> Bool {
    switch value {
    case .bool(let truth): return truth
    case .integer(0): return false
    case .integer(1): return true
    default: throw mismatch(value, "Boolean", "true or false")
    }
  }

  private static func date(_ value: SeedValue, dates: DateStrategy) throws(Failure) -> Date {
    guard let date = try dates.date(value) else {
      throw dates.lacksZone(value) ? DateStrategy.withoutZone(value) : mismatch(value, "Date", dates.expected)
    }
    if let remedy = dates.remedy(for: date) { throw Failure(problem: notInRange(date), remedy: remedy) }
    return try checked(date)
  }

  /// Returns the date when seeds may have it.
  ///
  /// - Throws: A `Failure` for a date outside of the range of seeds, in any spelling.
  static func checked(_ date: Date) throws(Failure) -> Date {
    if ISO8601Date.has(date) { return date }
    throw Failure(problem: notInRange(date), remedy: "give a date in \(ISO8601Date.rangeWords)")
  }

  private static func notInRange(_ date: Date) -> String {
    "the date \(date.timeIntervalSince1970) s after 1970-01-01 is not in \(ISO8601Date.rangeWords)"
  }

  private static func data(_ value: SeedValue) throws(Failure) -> Data {
    if case .data(let data) = value { return data }
    guard case .string(let text) = value, let data = Data(base64Encoded: text) else {
      throw mismatch(value, "Binary Data", "the bytes as a string in Base64")
    }
    return data
  }

  private static func uuid(_ value: SeedValue) throws(Failure) -> UUID {
    guard case .string(let text) = value, let uuid = UUID(uuidString: text) else {
      throw mismatch(value, "UUID", "a string such as E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    }
    return uuid
  }

  private static func url(_ value: SeedValue) throws(Failure) -> URL {
    guard case .string(let text) = value, !text.isEmpty, let url = URL(string: text) else {
      throw mismatch(value, "URI", "a string such as https://example.com/notes")
    }
    return url
  }

  private static func composite(
    _ value: SeedValue,
    attribute: NSAttributeDescription,
    dates: DateStrategy
  ) throws(Failure) -> PlannedValue {
    let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
    let names = elements.map(\.name)
    guard case .object(let fields) = value else {
      throw mismatch(value, "composite attribute", "an object with the keys \(names.joined(separator: ", "))")
    }
    var values: [String: PlannedValue] = [:]
    for field in fields {
      guard let element = elements.first(where: { $0.name == field.key }) else {
        throw Failure(
          problem: "the composite attribute has no element \"\(field.key.abbreviated)\"",
          remedy: Suggestion.remedy("key", word: field.key, among: names, of: "its elements are")
        )
      }
      if field.value.isLeftOut(of: element) { continue }
      do {
        values[field.key] = try convert(field.value, to: element, dates: dates)
      } catch {
        throw Failure(problem: "element \"\(field.key.abbreviated)\": \(error.problem)", remedy: error.remedy)
      }
    }
    return .composite(values)
  }
}

extension NSAttributeDescription {
  /// True if a seed can give the attribute a text as a table has it.
  package func takesSeedText(_ text: String) -> Bool {
    (try? AttributeConversion.convert(.text(text), to: self, dates: .byLook)) != nil
  }
}

extension SeedError {
  /// Makes an error of a value that does not fit, at its place.
  init(_ failure: AttributeConversion.Failure, at position: SeedPosition) {
    self.init(code: failure.code, at: position, problem: failure.problem, remedy: failure.remedy)
  }
}
