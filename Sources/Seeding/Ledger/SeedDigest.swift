import Digests
import Foundation

/// A 64-bit digest of a natural key or a value in the ledger of seeds: the beginning of a SHA-256,
/// the same in every process and on every machine.
///
/// Two different values have the same digest with a probability of 5 · 10⁻²⁰.
struct SeedDigest {
  private var bytes: [UInt8] = []

  private init() { bytes.reserveCapacity(96) }

  static func of(_ key: KeyValues) -> UInt64 {
    var digest = Self()
    digest.add(key)
    return digest.number
  }

  /// Nil for the result of a value transformer.
  static func of(_ value: PlannedValue) -> UInt64? {
    var digest = Self()
    return digest.add(value) ? digest.number : nil
  }

  /// Calls a closure with the digest of each value, in their order.
  static func forEach(of values: some Collection<PlannedValue>, _ body: (UInt64?) -> Void) {
    var digest = Self()
    for value in values {
      digest.bytes.removeAll(keepingCapacity: true)
      body(digest.add(value) ? digest.number : nil)
    }
  }

  /// The digest of a relationship's value from the digests of its objects, in its order if it is ordered.
  static func of(_ digests: [UInt64], isOrdered: Bool) -> UInt64 {
    var digest = Self()
    for number in isOrdered ? digests : digests.sorted() { digest.add(number) }
    return digest.number
  }

  /// The digest of a relationship's additions and removals.
  static func of(adding additions: [UInt64], removing removals: [UInt64]) -> UInt64 {
    var digest = Self()
    for number in additions { digest.add(number) }
    digest.add("-", text: [UInt8]())
    for number in removals.sorted() { digest.add(number) }
    return digest.number
  }

  /// The digest of an object without a natural key, from its contents.
  static func of(_ entity: String, _ parts: [(name: String, digest: UInt64)]) -> UInt64 {
    var digest = Self()
    digest.add("e", text: entity)
    for part in parts {
      digest.add("k", text: part.name)
      digest.add(part.digest)
    }
    return digest.number
  }

  private var number: UInt64 { bytes.withUnsafeBytes(SHA256.prefix(ofDigestOf:)) }

  private mutating func add(_ number: UInt64) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }

  private mutating func add(_ tag: Unicode.Scalar, text: some Sequence<UInt8>) {
    bytes.append(UInt8(ascii: tag))
    let start = bytes.count
    bytes += text
    // The length separates the text from the bytes that follow it.
    add(UInt64(bytes.count - start))
  }

  /// Texts that are equal have equal bytes, however their accents are written.
  private mutating func add(_ tag: Unicode.Scalar, text: String) {
    let start = bytes.count
    add(tag, text: text.utf8)
    // The text stands between its tag and its length.
    let added = bytes[(start + 1)..<(bytes.count - MemoryLayout<UInt64>.size)]
    guard added.contains(where: { $0 >= 0x80 }) else { return }
    bytes.removeSubrange(start...)
    add(tag, text: text.precomposedStringWithCanonicalMapping.utf8)
  }

  private mutating func add(_ key: KeyValues) {
    for part in key.parts {
      switch part {
      case .value(let value): _ = add(value)
      case .object(let key):
        bytes.append(UInt8(ascii: "("))
        add(key)
        bytes.append(UInt8(ascii: ")"))
      }
    }
  }

  /// - Returns: False for a value that has no digest.
  private mutating func add(_ value: PlannedValue) -> Bool {
    switch value {
    case .null: bytes.append(UInt8(ascii: "0"))
    case .integer(let number): add("i", text: "\(number)".utf8)
    // Some stores save NaN as NULL.
    case .double(let number) where number.isNaN: return add(.null)
    case .float(let number) where number.isNaN: return add(.null)
    case .double(let number): add("d", text: "\(number)".utf8)
    case .float(let number): add("f", text: "\(number)".utf8)
    case .decimal(let number): add("n", text: "\(number)".utf8)
    case .string(let text): add("s", text: text)
    case .bool(let truth): add("b", text: truth ? "1".utf8 : "0".utf8)
    case .date(let date): add("t", text: "\(date.timeIntervalSinceReferenceDate)".utf8)
    case .data(let data): add("x", text: data)
    case .uuid(let uuid): add("u", text: uuid.uuidString.utf8)
    case .url(let url): add("l", text: url.absoluteString)
    case .plain(let value): add(value)
    case .composite(let values):
      for (name, value) in values.sorted(by: { $0.key < $1.key }) where value != .null {
        add("k", text: name)
        guard add(value) else { return false }
      }
    case .object: return false
    }
    return true
  }

  private mutating func add(_ value: SeedValue) {
    switch value {
    case .null: bytes.append(UInt8(ascii: "0"))
    case .bool(let truth): add("B", text: truth ? "1".utf8 : "0".utf8)
    case .integer(let number): add("n", text: "\(number)".utf8)
    case .number(let digits): add("n", text: (value.decimal.map { "\($0)" } ?? digits).utf8)
    case .string(let text), .text(let text): add("S", text: text)
    case .date(let date): add("t", text: "\(date.timeIntervalSinceReferenceDate)".utf8)
    case .data(let data): add("x", text: data)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for value in values { add(value) }
      bytes.append(UInt8(ascii: "]"))
    case .object(let fields):
      bytes.append(UInt8(ascii: "{"))
      for field in fields.sorted(by: { $0.key < $1.key }) {
        add("k", text: field.key)
        add(field.value)
      }
      bytes.append(UInt8(ascii: "}"))
    case .url(let url): add("l", text: url.absoluteString)
    case .uuid(let uuid): add("u", text: uuid.uuidString.utf8)
    case .set(let values):
      let digests = values.map { value in
        var digest = Self()
        digest.add(value)
        return digest.number
      }
      bytes.append(UInt8(ascii: "<"))
      for number in digests.sorted() { add(number) }
      bytes.append(UInt8(ascii: ">"))
    }
  }
}
