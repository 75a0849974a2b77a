import Digests
import Foundation
import Texts

/// The SHA-256 of texts, as `sha256sum` prints it.
enum Checksum {
  static func of(_ text: String) -> String { HexadecimalDigits.of(SHA256.hash(data: Data(text.utf8))) }
}
