package import Foundation

/// Reads a binary property list ("bplist00") object by object, without following references.
///
/// `PropertyListSerialization` is not suitable, because it hides the references of keyed archives (UIDs). It also
/// follows shared and deeply nested containers, so a small broken file can exhaust the memory or the stack. This
/// type returns a container as the numbers of its objects, and checks each number when a caller looks it up.
package struct BinaryPropertyList {
  package enum Object {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A whole number of 2⁶³ or more.
    case unsigned(UInt64)
    case real(Double)
    case date(Date)
    case data(Data)
    case string(String)
    case uid(Int)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  /// The reason why a list is unreadable.
  package struct Failure: Error {
    package let problem: String

    package init(problem: String) { self.problem = problem }
  }

  package let topObject: Int
  /// The size of the list in bytes.
  package var byteCount: Int { bytes.count }
  private let bytes: SharedBytes
  private let offsets: [Int]
  private let referenceSize: Int

  package init(_ data: Data) throws(Failure) { try self.init(SharedBytes(data)) }

  /// Reads the offsets of the list's objects, but not the objects.
  ///
  /// - Throws: ``Failure`` for data that does not begin or end as a binary property list does, and when an object's
  ///   offset is outside of the list.
  package init(_ bytes: SharedBytes) throws(Failure) {
    self.bytes = bytes
    guard bytes.count >= 8 + 32, bytes[0..<7].elementsEqual("bplist0".utf8) else {
      throw Failure(problem: "the file does not begin as a binary property list")
    }
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, at: trailer + 8, size: 8),
      let top = Self.number(bytes, at: trailer + 16, size: 8),
      let table = Self.number(bytes, at: trailer + 24, size: 8),
      table >= 8, table <= trailer, count <= (trailer - table) / offsetSize, top < count
    else { throw Failure(problem: "the end of the property list is broken") }
    topObject = top
    var offsets: [Int] = []
    offsets.reserveCapacity(count)
    for index in 0..<count {
      guard let offset = Self.number(bytes, at: table + index * offsetSize, size: offsetSize), offset < table
      else { throw Failure(problem: "an object lies outside the property list") }
      offsets.append(offset)
    }
    self.offsets = offsets
  }

  /// Returns the object with a number.
  ///
  /// - Throws: ``Failure`` for a number without an object, and for an object that is broken, truncated or of an
  ///   unknown kind.
  package func object(_ index: Int) throws(Failure) -> Object {
    let offset = try offset(of: index)
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0:
      switch marker {
      case 0x08: return .boolean(false)
      case 0x09: return .boolean(true)
      default: return .null
      }
    case 0x1: return try wholeNumber(at: offset + 1, size: 1 << low)
    case 0x2: return .real(try real(at: offset + 1, size: 1 << low))
    case 0x3: return .date(Date(timeIntervalSinceReferenceDate: try real(at: offset + 1, size: 8)))
    case 0x4:
      let (start, count) = try extent(offset, low: low)
      return .data(bytes.data(in: try range(start, count: count)))
    case 0x5:
      let (start, count) = try extent(offset, low: low)
      return .string(Self.text(try slice(start, count: count)))
    case 0x6:
      let (start, count) = try extent(offset, low: low)
      return .string(try utf16(start, count: count))
    case 0x8:
      guard let uid = Self.number(bytes, at: offset + 1, size: low + 1) else { throw Self.tooShort }
      return .uid(uid)
    case 0xA:
      let (start, count) = try extent(offset, low: low)
      return .array(try references(start, count: count))
    case 0xD:
      let (start, count) = try extent(offset, low: low)
      let keys = try references(start, count: count)
      return .dictionary(keys: keys, values: try references(start + count * referenceSize, count: count))
    // Sets have markers of their own. No known program writes them, and Foundation cannot read back every set.
    default: throw Failure(problem: "the property list holds an object of a kind that there is not")
    }
  }

  /// Returns true for an object that contains others, whose contents are not read.
  ///
  /// - Throws: ``Failure`` for a number without an object.
  func isContainer(_ index: Int) throws(Failure) -> Bool {
    let kind = bytes[try offset(of: index)] >> 4
    return kind == 0xA || kind == 0xD
  }

  private func offset(of index: Int) throws(Failure) -> Int {
    guard offsets.indices.contains(index) else {
      throw Failure(problem: "the property list refers to an object that it does not have")
    }
    return offsets[index]
  }

  private static let tooShort = Failure(problem: "the property list ends in the middle of an object")

  /// Returns the index of the first byte of an object's contents, and the number of its elements.
  private func extent(_ offset: Int, low: Int) throws(Failure) -> (start: Int, count: Int) {
    if low < 0x0F { return (offset + 1, low) }
    guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 0x1 else { throw Self.tooShort }
    let size = 1 << Int(bytes[offset + 1] & 0x0F)
    guard size <= 8, let count = Self.number(bytes, at: offset + 2, size: size) else { throw Self.tooShort }
    return (offset + 2 + size, count)
  }

  /// Returns the position in the list of the number of an element, or of a key, within its container.
  package func offset(ofElement index: Int, in container: Int) throws(Failure) -> Int {
    let offset = offsets[container]
    return try extent(offset, low: Int(bytes[offset] & 0x0F)).start + index * referenceSize
  }

  private func range(_ start: Int, count: Int) throws(Failure) -> Range<Int> {
    guard start <= bytes.count, count <= bytes.count - start else { throw Self.tooShort }
    return start..<start + count
  }

  private func slice(_ start: Int, count: Int) throws(Failure) -> UnsafeRawBufferPointer {
    bytes[try range(start, count: count)]
  }

  /// Returns a text in ASCII. Foundation reads other bytes as characters of Latin-1, and so does this function.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private func utf16(_ start: Int, count: Int) throws(Failure) -> String {
    guard count <= bytes.count else { throw Self.tooShort }
    let slice = try slice(start, count: count * 2)
    let units = stride(from: 0, to: slice.count, by: 2).map {
      UInt16(slice[$0]) << 8 | UInt16(slice[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  private func references(_ start: Int, count: Int) throws(Failure) -> [Int] {
    guard count <= bytes.count else { throw Self.tooShort }
    _ = try slice(start, count: count * referenceSize)
    var references: [Int] = []
    references.reserveCapacity(count)
    for index in 0..<count {
      guard let reference = Self.number(bytes, at: start + index * referenceSize, size: referenceSize) else {
        throw Self.tooShort
      }
      references.append(reference)
    }
    return references
  }

  /// Returns a whole number. A number of 16 bytes does not fit 8 signed bytes, and its value is in the lower half.
  private func wholeNumber(at offset: Int, size: Int) throws(Failure) -> Object {
    guard size == 16 else { return .integer(try integer(at: offset, size: size)) }
    let isNegative = try integer(at: offset, size: 8) < 0
    let low = try integer(at: offset + 8, size: 8)
    return low < 0 && !isNegative ? .unsigned(UInt64(bitPattern: low)) : .integer(low)
  }

  private func integer(at offset: Int, size: Int) throws(Failure) -> Int64 {
    guard size <= 8 else { throw Failure(problem: "the property list holds a number that is too long") }
    let start = offset
    let slice = try slice(start, count: size)
    let number = slice.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(bitPattern: number)
  }

  private func real(at offset: Int, size: Int) throws(Failure) -> Double {
    guard size == 4 || size == 8 else { throw Self.tooShort }
    let bits = UInt64(bitPattern: try integer(at: offset, size: size))
    return size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }

  /// Returns an unsigned number, or `nil` when it is outside of the bytes or too large for a count or an offset.
  private static func number(_ bytes: SharedBytes, at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size >= 1, offset <= bytes.count - size else { return nil }
    var number: UInt64 = 0
    for byte in bytes[offset..<offset + size] {
      guard number < 1 << 40 else { return nil }
      number = number << 8 | UInt64(byte)
    }
    return Int(exactly: number)
  }
}
