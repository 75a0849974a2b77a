package import Foundation

/// A value to be written to a binary property list, including the references of keyed archives.
package enum PropertyListValue {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A whole number of 2⁶³ or more.
  case unsigned(UInt64)
  case real(Double)
  case date(Date)
  case string(String)
  case data(Data)
  case uid(Int)
  case array([PropertyListValue])
  /// The entries in the order in which they are written. A fixed order gives equal bytes for equal values.
  case dictionary([(key: String, value: PropertyListValue)])
}

/// Writes a binary property list ("bplist00"). Equal values give equal bytes.
///
/// `PropertyListSerialization` is not suitable, because it cannot write the references of keyed archives, and
/// writes dictionaries in any order.
package struct BinaryPropertyListWriter {
  /// The object's first bytes, and the rest of it where that is data.
  private var objects: [(bytes: [UInt8], data: Data)] = []
  private var containers: [(object: Int, references: [Int])] = []
  private var known: [ObjectBytes: Int] = [:]

  /// The bytes of an object, which are hashed and compared at once instead of one by one.
  private struct ObjectBytes: Hashable {
    let bytes: [UInt8]

    static func == (first: Self, second: Self) -> Bool {
      first.bytes.count == second.bytes.count && memcmp(first.bytes, second.bytes, first.bytes.count) == 0
    }

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
  }

  /// Returns the bytes of the list whose top object is the value.
  package static func data(_ value: PropertyListValue) -> Data {
    var writer = BinaryPropertyListWriter()
    let top = writer.add(value)
    return writer.finish(top: top)
  }

  /// Adds a value, then the values that it contains, and returns its number.
  private mutating func add(_ value: PropertyListValue) -> Int {
    switch value {
    case .null: return addUnique([0x00])
    case .boolean(let value): return addUnique([value ? 0x09 : 0x08])
    case .integer(let value): return addUnique(Self.integer(value))
    case .unsigned(let value): return addUnique([0x14] + Self.bigEndian(0, size: 8) + Self.bigEndian(value, size: 8))
    case .real(let value): return addUnique([0x23] + Self.bigEndian(value.bitPattern, size: 8))
    case .date(let date):
      return addUnique([0x33] + Self.bigEndian(date.timeIntervalSinceReferenceDate.bitPattern, size: 8))
    case .string(let text): return addUnique(Self.string(text))
    case .data(let data):
      let marker = Self.marker(0x40, count: data.count)
      if data.count < Self.largestComparedData { return addUnique(marker + [UInt8](data)) }
      return addObject(marker, data: data)
    case .uid(let uid):
      let size = Self.size(UInt64(uid))
      return addUnique([0x80 | UInt8(size - 1)] + Self.bigEndian(UInt64(uid), size: size))
    case .array(let elements):
      let number = addObject(Self.marker(0xA0, count: elements.count))
      let references = elements.map { add($0) }
      containers.append((number, references))
      return number
    case .dictionary(let entries):
      let number = addObject(Self.marker(0xD0, count: entries.count))
      let keys = entries.map { add(.string($0.key)) }
      let values = entries.map { add($0.value) }
      containers.append((number, keys + values))
      return number
    }
  }

  /// Larger data is written once for each place that holds it. To compare it with all other objects would take longer.
  private static let largestComparedData = 64 << 10

  private mutating func addUnique(_ bytes: [UInt8]) -> Int {
    let key = ObjectBytes(bytes: bytes)
    if let number = known[key] { return number }
    known[key] = objects.count
    return addObject(bytes)
  }

  private mutating func addObject(_ bytes: [UInt8], data: Data = Data()) -> Int {
    objects.append((bytes, data))
    return objects.count - 1
  }

  private mutating func finish(top: Int) -> Data {
    let referenceSize = Self.size(UInt64(objects.count))
    for (object, references) in containers {
      for reference in references { objects[object].bytes += Self.bigEndian(UInt64(reference), size: referenceSize) }
    }
    var data = Data("bplist00".utf8)
    var offsets: [Int] = []
    offsets.reserveCapacity(objects.count)
    data.reserveCapacity(objects.reduce(64 + objects.count * 8) { $0 + $1.bytes.count + $1.data.count })
    for object in objects {
      offsets.append(data.count)
      data.append(contentsOf: object.bytes)
      data.append(object.data)
    }
    let table = data.count
    let offsetSize = Self.size(UInt64(table))
    for offset in offsets { data.append(contentsOf: Self.bigEndian(UInt64(offset), size: offsetSize)) }
    data.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
    for number in [objects.count, top, table] { data.append(contentsOf: Self.bigEndian(UInt64(number), size: 8)) }
    return data
  }

  /// Returns the marker of an object with a number of elements.
  private static func marker(_ kind: UInt8, count: Int) -> [UInt8] {
    count < 0x0F ? [kind | UInt8(count)] : [kind | 0x0F] + integer(Int64(count))
  }

  private static func integer(_ value: Int64) -> [UInt8] {
    // Negative numbers take 8 bytes, because shorter numbers are unsigned.
    let size = value < 0 ? 8 : size(UInt64(value))
    return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(UInt64(bitPattern: value), size: size)
  }

  private static func string(_ text: String) -> [UInt8] {
    // Only in an ASCII text, each code takes as many bytes as units of UTF-16.
    let count = text.utf16.count
    if text.utf8.count == count { return marker(0x50, count: count) + text.utf8 }
    var bytes = marker(0x60, count: count)
    bytes.reserveCapacity(bytes.count + 2 * count)
    for unit in text.utf16 {
      bytes.append(UInt8(unit >> 8))
      bytes.append(UInt8(unit & 0xFF))
    }
    return bytes
  }

  /// Returns the number of bytes that a number takes: 1, 2, 4 or 8.
  private static func size(_ number: UInt64) -> Int {
    switch number {
    case 0..<0x100: 1
    case 0x100..<0x1_0000: 2
    case 0x1_0000..<0x1_0000_0000: 4
    default: 8
    }
  }

  private static func bigEndian(_ number: UInt64, size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    var shift = size * 8
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
    return bytes
  }
}
