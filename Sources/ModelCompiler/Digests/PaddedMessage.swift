/// A message as MD5 and SHA-256 take it: with a one bit, zeros and its length in bits behind it, in blocks of 16 words.
enum PaddedMessage {
  static func words(of message: [UInt8], isBigEndian: Bool) -> [UInt32] {
    var bytes = message + [0x80]
    bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
    let length = UInt64(message.count) * 8
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * UInt64(isBigEndian ? 7 - $0 : $0))) }
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      (0..<4).reduce(0) { word, index in
        word | UInt32(bytes[start + index]) << (8 * UInt32(isBigEndian ? 3 - index : index))
      }
    }
  }
}
