package import Foundation

/// Bytes of a key or a signature, spelled in Base64 or in hexadecimal digits.
package struct SpelledBytes {
  package let bytes: Data

  /// Nil for a text that does not spell as many bytes.
  package init?(_ text: String, count: Int) {
    let text = text.filter { !$0.isWhitespace }
    let read = HexadecimalText.bytes(text).map { Data($0) } ?? Data(base64Encoded: text)
    guard let read, read.count == count else { return nil }
    bytes = read
  }
}
