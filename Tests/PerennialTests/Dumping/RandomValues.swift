import CoreData
import Foundation

/// Values at the limits of attribute types, and values that some formats write in a special form.
enum RandomValues {
  private static let texts = [
    "", " ", "a|b", "|", "a, b", "\"quoted\"", "it's", "line\nline", "line\r\nline\n", "\ttab", "end ",
    " start", "null",
    "~", "true", "No", "0755", "1e5", "-", "- a", "a: b", "# no comment", "{}", "[]", "&a", "*a", "!b", "%",
    "@", "`",
    "=1+1", "\u{1}\u{1B}[2J", "\u{7F}\u{85}", "\u{2028}\u{202E}", "\u{FEFF}", "é", "e\u{301}", "👩‍👩‍👧 grün",
    "\u{10FFFF}",
    "]]>", "<a>&amp;", "\\n", "$ref", "|-\n", "\n", "a\n\nb\n", "2024-03-17", "\u{FFFF}",
    "Zoë's: \"x\"; y, z",
    "\0 zero", String(repeating: "long ", count: 500),
  ]

  static func value(for attribute: NSAttributeDescription, _ random: inout RandomSource) -> Any? {
    switch attribute.attributeType {
    case .integer16AttributeType: NSNumber(value: random.element([Int16.min, -1, 0, 1, .max]))
    case .integer32AttributeType: NSNumber(value: random.element([Int32.min, -1, 0, 1, .max]))
    case .integer64AttributeType:
      NSNumber(value: random.element([Int64.min, -1, 0, 9_007_199_254_740_993, .max]))
    case .doubleAttributeType:
      NSNumber(
        value: random.element([
          -0.1 as Double, 1.0 / 3, 1e300, .leastNonzeroMagnitude, 1e22, 0, 123456789.125, .infinity, -.infinity,
          Double(random.next()),
          Double(bitPattern: random.next() & 0x7FEF_FFFF_FFFF_FFFF),
        ])
      )
    case .floatAttributeType:
      NSNumber(
        value: random.element([
          Float(-0.1), 1.0 / 3, 1e30, .leastNormalMagnitude / 128, 0, .infinity, 16_777_216,
        ])
      )
    case .decimalAttributeType:
      NSDecimalNumber(
        string: random.element(["0", "-0.01", "1e30", "12345678901234567890.12345678901234567", "1e-30"])
      )
    case .stringAttributeType: random.element(texts)
    case .booleanAttributeType: NSNumber(value: random.chance(0.5))
    case .dateAttributeType:
      Date(
        timeIntervalSinceReferenceDate: random.element([0, 0.5, 1 / 3.0, -6e10, 2e11, 732_000_000.123456])
      )
    case .binaryDataAttributeType: Data((0..<random.element([0, 1, 100])).map { UInt8($0) })
    case .UUIDAttributeType:
      withUnsafeBytes(of: (random.next(), random.next())) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case .URIAttributeType: URL(string: random.element(["https://example.com/a?b=c|d", "x:y", "a%20b"]))
    case .transformableAttributeType: plain(3, &random)
    case .compositeAttributeType: composite(attribute, &random)
    default: nil
    }
  }

  private static func composite(_ attribute: NSAttributeDescription, _ random: inout RandomSource) -> Any? {
    let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
    var values: [String: Any] = [:]
    for element in elements where random.chance(0.7) { values[element.name] = value(for: element, &random) }
    return values
  }

  private static func plain(_ depth: Int, _ random: inout RandomSource) -> Any {
    switch random.number(in: 0...(depth > 0 ? 12 : 8)) {
    case 0: return random.element(texts.filter { !$0.utf8.contains(0) }) as NSString
    case 1: return NSNumber(value: random.chance(0.5))
    case 2: return NSNumber(value: Int64(truncatingIfNeeded: random.next()))
    case 3: return NSNumber(value: random.element([0.1, -2.5, 1e300, 1.0 / 3]))
    case 4: return Date(timeIntervalSinceReferenceDate: random.element([0, 0.25]))
    case 5: return Data([1, 2, 3])
    case 6: return depth == 3 ? "root" as NSString : NSNull()
    case 7: return (NSUUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as NSObject?) ?? NSNull()
    case 8:
      return (NSURL(string: random.element(["https://example.com/a?b=c|d", "x:y"])) as NSObject?) ?? NSNull()
    case 9: return NSSet(array: (0..<random.number(in: 0...3)).map { NSNumber(value: $0) })
    case 10, 11: return (0..<random.number(in: 0...3)).map { _ in plain(depth - 1, &random) } as NSArray
    default:
      let keys = ["a", "b c", "$date", "$data", "$ref", "$object", "$set", "$url", "é"].shuffled(
        using: &random
      )
      let pairs = keys.prefix(random.number(in: 0...3)).map { ($0, plain(depth - 1, &random)) }
      return Dictionary(uniqueKeysWithValues: pairs) as NSDictionary
    }
  }
}
