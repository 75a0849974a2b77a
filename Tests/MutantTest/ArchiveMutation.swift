import Foundation

/// Mutates keyed archives in binary property lists: the format stays valid, and the references change.
enum ArchiveMutation {
  static func changed(_ data: Data, _ random: inout RandomNumbers) -> Data {
    if random.once(in: 3) { return FileMutation.changed([UInt8](data), &random) }
    return references(in: [UInt8](data), &random) ?? FileMutation.changed([UInt8](data), &random)
  }

  /// Redirects members of containers and UIDs of archives to other objects: cycles, shared children, wrong classes.
  private static func references(in bytes: [UInt8], _ random: inout RandomNumbers) -> Data? {
    guard bytes.count > 40 else { return nil }
    let trailer = bytes.count - 32
    let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    let count = number(bytes, trailer + 8, 8)
    let table = number(bytes, trailer + 24, 8)
    guard referenceSize == 1, count > 0, count < 256, offsetSize > 0, table + count * offsetSize <= trailer
    else {
      return nil
    }
    var changed = bytes
    for _ in 0..<(1 + random.below(3)) {
      let place = number(bytes, table + random.below(count) * offsetSize, offsetSize)
      guard place < table else { continue }
      let (kind, size) = (bytes[place] >> 4, Int(bytes[place] & 0xF))
      let other = UInt8(random.below(count))
      switch kind {
      // A UID, which refers to an object of the archive.
      case 8 where place + 1 < table: changed[place + 1] = other
      // An array, a set or a dictionary of up to fourteen members.
      case 0xA, 0xC, 0xD:
        let members = size * (kind == 0xD ? 2 : 1)
        guard size < 15, members > 0, place + members < table else { continue }
        changed[place + 1 + random.below(members)] = other
      // An object of another kind, with the same size.
      default: changed[place] = UInt8(random.below(16) << 4) | UInt8(size)
      }
    }
    return Data(changed)
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int {
    guard place >= 0, place + size <= bytes.count else { return .max / 2 }
    var number = 0
    for byte in bytes[place..<place + size] { number = (number << 8 | Int(byte)) & 0xFFFF_FFFF }
    return number
  }
}
