package import Foundation

/// A digest of a message that comes in pieces.
package protocol MessageDigest: Sendable {
  init()
  mutating func update(_ bytes: UnsafeRawBufferPointer)
  /// The digest of all that was given so far.
  func finalize() -> [UInt8]
}

extension MessageDigest {
  package mutating func update(data: some ContiguousBytes) {
    data.withUnsafeBytes { update($0) }
  }

  package static func hash(data: some ContiguousBytes) -> [UInt8] {
    var digest = Self()
    digest.update(data: data)
    return digest.finalize()
  }
}
