import Foundation

/// Reads the output of `git cat-file --batch`: for each object a line `OBJECT TYPE SIZE`, its bytes, and a line break.
struct GitBatch {
  private let bytes: Data
  private var position: Data.Index

  init(_ bytes: Data) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The bytes of the next object; nil when git does not have it, or printed something else.
  mutating func next(named object: String) -> Data? {
    guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = String(decoding: bytes[position..<end], as: UTF8.self).split(separator: " ")
    let start = bytes.index(after: end)
    position = start
    guard words.count == 3, words[0] == object, words[1] == "blob", let size = Int(words[2]), size >= 0,
      size < bytes.distance(from: start, to: bytes.endIndex)
    else { return nil }
    let last = bytes.index(start, offsetBy: size)
    position = bytes.index(after: last)
    return Data(bytes[start..<last])
  }
}
