import Foundation

/// Finds a property by the bytes of its name, without making a `String`: what typed accessors go through.
///
/// A value and no object, which would be retained for each property that is read.
// Immutable once it is made. The layout that has it frees the memory that it points to.
struct PropertyNames: @unchecked Sendable {
  /// A property's place as one number: slots from 0 up, to-many relationships from -1 down.
  typealias Index = Int

  private struct Entry {
    // Allocated and freed by the table that has the entry.
    let bytes: UnsafePointer<UInt8>
    let count: Int
    let signature: UInt64
    let index: Index
  }

  private let entries: UnsafeMutablePointer<Entry?>
  private let mask: Int

  init(slots: [String], toMany: [String]) {
    var capacity = 8
    while capacity < (slots.count + toMany.count) * 3 { capacity *= 2 }
    mask = capacity - 1
    entries = .allocate(capacity: capacity)
    entries.initialize(repeating: nil, count: capacity)
    for (index, name) in slots.enumerated() { insert(name, index: index) }
    for (index, name) in toMany.enumerated() { insert(name, index: -1 - index) }
  }

  /// Frees the memory; the names must not be used afterwards.
  func deallocate() {
    for place in 0...mask { entries[place]?.bytes.deallocate() }
    entries.deallocate()
  }

  @inline(__always)
  func index(of name: StaticString) -> Index? {
    guard name.hasPointerRepresentation else { return nil }
    return index(of: name.utf8Start, count: name.utf8CodeUnitCount)
  }

  func index(of name: String) -> Index? {
    var name = name
    return name.withUTF8 { $0.baseAddress.flatMap { [count = $0.count] in index(of: $0, count: count) } }
  }

  @inline(__always)
  private func index(of bytes: UnsafePointer<UInt8>, count: Int) -> Index? {
    let signature = Self.signature(bytes, count: count)
    var place = Self.hash(signature, count: count) & mask
    while let entry = entries[place] {
      if entry.signature == signature, entry.count == count, count <= 8 || memcmp(entry.bytes, bytes, count) == 0 {
        return entry.index
      }
      place = (place + 1) & mask
    }
    return nil
  }

  private func insert(_ name: String, index: Index) {
    let utf8 = Array(name.utf8)
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(utf8.count, 1))
    bytes.initialize(from: utf8, count: utf8.count)
    let signature = Self.signature(bytes, count: utf8.count)
    var place = Self.hash(signature, count: utf8.count) & mask
    while entries[place] != nil { place = (place + 1) & mask }
    entries[place] = Entry(bytes: bytes, count: utf8.count, signature: signature, index: index)
  }

  /// The first bytes and the last: all there are in a name of up to eight.
  @inline(__always)
  private static func signature(_ bytes: UnsafePointer<UInt8>, count: Int) -> UInt64 {
    let raw = UnsafeRawPointer(bytes)
    if count >= 4 {
      let first = raw.loadUnaligned(as: UInt32.self)
      let last = raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return UInt64(first) | UInt64(last) << 32
    }
    guard count > 0 else { return 0 }
    return UInt64(bytes[0]) | UInt64(bytes[count >> 1]) << 8 | UInt64(bytes[count - 1]) << 16
  }

  @inline(__always)
  private static func hash(_ signature: UInt64, count: Int) -> Int {
    Int(truncatingIfNeeded: ((signature ^ UInt64(count)) &* 0x9e37_79b9_7f4a_7c15) >> 40)
  }
}
