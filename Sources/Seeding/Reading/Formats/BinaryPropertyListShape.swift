import Texts

/// The objects of a binary property list, as far as its table and their markers tell them: which
/// are in which, and how large they are.
struct BinaryPropertyListShape {
  /// The size of an object with all objects within it, each counted every time it is referred to.
  private struct Extent {
    var values = 1
    var bytes = 0
    var height = 0
  }

  private let bytes: [UInt8]
  private let mostValues: Int
  private let mostBytes: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  private let table: Int
  private var extents: [Int: Extent] = [:]

  private static let trailerSize = 32

  init(_ bytes: [UInt8], mostValues: Int) throws(PropertyListShape.Failure) {
    self.bytes = bytes
    self.mostValues = mostValues
    // Objects that are referred to several times may expand to at most this multiple of the file's size.
    mostBytes = bytes.count.multipliedReportingOverflow(by: 10).partialValue + 1000
    let trailer = bytes.count - Self.trailerSize
    guard trailer >= 8 else { throw Self.broken }
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, at: trailer + 8, size: 8), count > 0, count <= trailer,
      let top = Self.number(bytes, at: trailer + 16, size: 8), top < count,
      let table = Self.number(bytes, at: trailer + 24, size: 8), table < trailer,
      count <= (trailer - table) / offsetSize
    else { throw Self.broken }
    self.count = count
    self.top = top
    self.table = table
  }

  mutating func check() throws(PropertyListShape.Failure) { _ = try extent(of: top, depth: 0) }

  private static var broken: PropertyListShape.Failure {
    .init(problem: "the binary property list is broken, or breaks off")
  }

  /// Each object is visited once, so that the time is linear in the size of the file, however large
  /// the expanded list is.
  private mutating func extent(of object: Int, depth: Int) throws(PropertyListShape.Failure) -> Extent {
    guard depth <= PropertyListShape.deepest else { throw PropertyListShape.tooDeep }
    if let known = extents[object] {
      guard depth + known.height <= PropertyListShape.deepest else { throw PropertyListShape.tooDeep }
      return known
    }
    guard object < count, let place = Self.number(bytes, at: table + object * offsetSize, size: offsetSize),
      place < table
    else { throw Self.broken }
    let kind = bytes[place] >> 4
    var extent = Extent()
    let (length, start) = try self.length(at: place)
    switch kind {
    case 0x4, 0x5: extent.bytes = length
    case 0x6: extent.bytes = length.multipliedReportingOverflow(by: 2).partialValue
    case 0xA, 0xB, 0xC: try add(references: length, at: start, to: &extent, depth: depth)
    case 0xD:
      guard length <= bytes.count else { throw Self.broken }
      try add(references: 2 * length, at: start, to: &extent, depth: depth)
      try checkKeys(length, at: start)
    default: break
    }
    guard extent.bytes >= 0, extent.bytes <= mostBytes else { throw PropertyListShape.tooMany(mostValues) }
    extents[object] = extent
    return extent
  }

  private mutating func add(
    references: Int,
    at start: Int,
    to extent: inout Extent,
    depth: Int
  ) throws(PropertyListShape.Failure) {
    guard references <= (table - start) / referenceSize else { throw Self.broken }
    for index in 0..<references {
      guard let object = Self.number(bytes, at: start + index * referenceSize, size: referenceSize) else {
        throw Self.broken
      }
      let inner = try self.extent(of: object, depth: depth + 1)
      // Neither sum can overflow, because each part is within its limit.
      extent.values += inner.values
      extent.bytes += inner.bytes
      extent.height = max(extent.height, inner.height + 1)
      guard extent.values <= mostValues, extent.bytes <= mostBytes else { throw PropertyListShape.tooMany(mostValues) }
    }
  }

  /// Checks that a dictionary does not have a key twice. Their bytes have been counted.
  private func checkKeys(_ keyCount: Int, at start: Int) throws(PropertyListShape.Failure) {
    var places: [String: Int] = [:]
    for index in 0..<keyCount {
      let place = start + index * referenceSize
      guard let object = Self.number(bytes, at: place, size: referenceSize), let key = try text(of: object),
        let first = places.updateValue(place, forKey: key)
      else { continue }
      throw PropertyListShape.Failure(
        problem:
          "the key \"\(key.abbreviated)\" stands twice in one dictionary, at the bytes \(first) and \(place)",
        remedy: "remove one of them"
      )
    }
  }

  /// Nil if the object is not a text.
  private func text(of object: Int) throws(PropertyListShape.Failure) -> String? {
    guard object < count, let place = Self.number(bytes, at: table + object * offsetSize, size: offsetSize),
      place < table
    else { throw Self.broken }
    let (length, start) = try self.length(at: place)
    switch bytes[place] >> 4 {
    case 0x5:
      guard length <= table - start else { throw Self.broken }
      return String(decoding: bytes[start..<start + length], as: UTF8.self)
    case 0x6:
      guard length <= (table - start) / 2 else { throw Self.broken }
      let units = (0..<length).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
      return String(decoding: units, as: UTF16.self)
    default: return nil
    }
  }

  /// The length after a marker, and the position of the content.
  private func length(at place: Int) throws(PropertyListShape.Failure) -> (length: Int, start: Int) {
    let short = Int(bytes[place] & 0xF)
    guard short == 0xF, bytes[place] >> 4 >= 4 else { return (short, place + 1) }
    guard place + 1 < table, bytes[place + 1] >> 4 == 1 else { throw Self.broken }
    let size = 1 << Int(bytes[place + 1] & 0xF)
    guard size <= 8, let length = Self.number(bytes, at: place + 2, size: size), length <= bytes.count else {
      throw Self.broken
    }
    return (length, place + 2 + size)
  }

  /// Nil for a number that is too large or outside of the file.
  private static func number(_ bytes: [UInt8], at place: Int, size: Int) -> Int? {
    guard place >= 0, size <= bytes.count, place <= bytes.count - size else { return nil }
    var number: UInt64 = 0
    for byte in bytes[place..<place + size] { number = number << 8 | UInt64(byte) }
    return Int(exactly: number)
  }
}
