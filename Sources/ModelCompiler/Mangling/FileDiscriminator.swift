import Foundation

/// The part of symbols that distinguishes private declarations of different files: `_` and the MD5 digest
/// of the module's name and the file's name, in uppercase hexadecimal digits.
enum FileDiscriminator {
  static func make(module: String, file: String) -> String {
    let name = file.split(separator: "/").last ?? ""
    return "_" + MD5.hexadecimalDigest(of: Array((module + name).utf8))
  }
}

/// The message digest of RFC 1321. It has no security purpose here: the compiler identifies files by it.
enum MD5 {
  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
  private static let sines: [UInt32] = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }

  static func hexadecimalDigest(of message: [UInt8]) -> String {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    let words = words(of: message)
    for start in stride(from: 0, to: words.count, by: 16) { add(words[start..<start + 16], to: &state) }
    let digits = Array("0123456789ABCDEF")
    var text = ""
    for word in state {
      for byte in 0..<4 {
        let value = Int(word >> (8 * UInt32(byte)) & 0xff)
        text.append(digits[value >> 4])
        text.append(digits[value & 15])
      }
    }
    return text
  }

  /// The padded message in blocks of 16 words: a one bit, zeros and the length in bits are appended.
  private static func words(of message: [UInt8]) -> [UInt32] {
    var bytes = message + [0x80]
    bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
    withUnsafeBytes(of: (UInt64(message.count) * 8).littleEndian) { bytes += $0 }
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      var word: UInt32 = 0
      for index in (0..<4).reversed() { word = word << 8 | UInt32(bytes[start + index]) }
      return word
    }
  }

  private static func add(_ block: ArraySlice<UInt32>, to state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let mixed: UInt32
      let word: Int
      switch step / 16 {
      case 0: (mixed, word) = ((b & c) | (~b & d), step)
      case 1: (mixed, word) = ((d & b) | (~d & c), (5 * step + 1) % 16)
      case 2: (mixed, word) = (b ^ c ^ d, (3 * step + 5) % 16)
      default: (mixed, word) = (c ^ (b | ~d), (7 * step) % 16)
      }
      let sum = a &+ mixed &+ sines[step] &+ block[block.startIndex + word]
      let shift = shifts[step / 16 * 4 + step % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }
}
