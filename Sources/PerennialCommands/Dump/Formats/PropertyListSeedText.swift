import Foundation
import Seeding

/// A seed as a property list: in XML, or binary where a text has characters that XML does not allow.
struct PropertyListSeedText: SeedText {
  func refusal(of value: ResultValue, in kind: DumpedSeed.FieldKind) -> String? {
    switch value {
    case .none: return "a property list has no word for no value"
    case .decimal(let number) where Self.real(number) == nil:
      return "a property list has no number with the digits of \(number)"
    case .list(let values):
      return values.lazy.compactMap { refusal(of: $0, in: kind) }.first
    case .fields(let fields):
      return fields.sorted { $0.key < $1.key }.lazy
        .compactMap { refusal(of: $0.value, in: kind) }.first
    default: return nil
    }
  }

  func data(of seed: DumpedSeed, namedAfter entity: String?) throws -> Data {
    var root: [String: Any] = [:]
    for (key, value) in seed.header { root[key] = Self.object(value) }
    for (name, records) in seed.entities { root[name] = records.map { Self.object(.fields($0.fields)) } }
    let list = root as NSDictionary
    let text = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    let read = try? PropertyListSerialization.propertyList(from: text, format: nil)
    if list.isEqual(read) { return text }
    return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
  }

  func neededLimit(of seed: DumpedSeed, data: Data) -> Int? { seed.neededDocumentLimit(data) }

  private static func object(_ value: ResultValue) -> Any {
    switch value {
    case .none: NSNull()
    case .bool(let truth): NSNumber(value: truth)
    case .integer(let number): NSNumber(value: number)
    // Seeds write infinity and NaN as texts.
    case .real(let number): number.isFinite ? NSNumber(value: number) : "\(number)" as NSString
    case .decimal(let number): NSNumber(value: real(number) ?? 0)
    case .text(let text): text as NSString
    // Dates in XML property lists have no fractions of seconds.
    case .date: value.plainText as NSString
    case .data(let data): data as NSData
    case .list(let values): values.map(object) as NSArray
    case .fields(let fields): fields.mapValues(object) as NSDictionary
    }
  }

  /// The binary number with the same digits; nil where none has them.
  private static func real(_ number: Decimal) -> Double? {
    guard let real = Double("\(number)"), Decimal(string: "\(real)") == number else { return nil }
    return real
  }
}
