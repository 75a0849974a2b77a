import Foundation

/// Lays out JSON in lines, with every value as it is stored.
///
/// Only white space between tokens changes. Numbers, escapes, the order of members and members with the same name
/// stay as they are.
struct JSONLayout {
  /// The document with a line for each member and each element.
  let text: String

  private static let deepest = 100
  /// The greatest depth of indentation. Deeper lines are not indented further, so that a small document does not
  /// become a large text.
  private static let deepestIndentation = 16

  /// Lays out a document.
  ///
  /// - Returns: `nil` for bytes that are not a JSON object or array in UTF-8, and for a document that is nested too
  ///   deeply.
  init?(_ data: Data) {
    // A number or a word alone is valid JSON too, but such a value is rarely meant as JSON.
    guard let first = data.first(where: { !Self.isSpace($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["), Self.depth(of: data) <= Self.deepest,
      !data.contains(0), String(data: data, encoding: .utf8) != nil,
      (try? JSONSerialization.jsonObject(with: data)) != nil
    else { return nil }
    text = String(decoding: Self.laidOut(Array(data)), as: UTF8.self)
  }

  private static func laidOut(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    var (depth, index) = (0, 0)
    func newLine() {
      result.append(UInt8(ascii: "\n"))
      result += repeatElement(UInt8(ascii: " "), count: 2 * min(max(0, depth), deepestIndentation))
    }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        let end = endOfText(in: bytes, from: index)
        result.append(byte)
        result += bytes[index..<end]
        index = end
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        result.append(byte)
        index = bytes[index...].firstIndex { !isSpace($0) } ?? bytes.count
        if index < bytes.count, isClosing(bytes[index]) {
          result.append(bytes[index])
          index += 1
        } else {
          depth += 1
          newLine()
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        newLine()
        result.append(byte)
      case UInt8(ascii: ","):
        result.append(byte)
        newLine()
      case UInt8(ascii: ":"): result += [byte, UInt8(ascii: " ")]
      default: if !isSpace(byte) { result.append(byte) }
      }
    }
    return result
  }

  /// Returns the index after the quotation mark that ends a string.
  private static func endOfText(in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return bytes.count
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func isClosing(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }

  /// Returns the greatest number of brackets that are open at once, including brackets in strings.
  private static func depth(of data: Data) -> Int {
    var (open, most) = (0, 0)
    for byte in data {
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { open += 1 }
      if isClosing(byte) { open -= 1 }
      most = max(most, open)
    }
    return most
  }
}
