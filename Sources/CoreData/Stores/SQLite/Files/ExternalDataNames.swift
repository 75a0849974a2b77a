import Digests
import Foundation
import Synchronization

/// The names of files of large data: unique, unless a store is being created that must be reproducible.
package enum ExternalDataNames {
  private static let isDerived = Mutex(false)

  /// Names all further files of the process after their content, so that a store that is created twice is the same.
  package static func deriveFromContents() { isDerived.withLock { $0 = true } }

  /// A name for a file that holds a value.
  ///
  /// - Parameter isInUse: returns true when there is a file of a name. Two rows never share a file,
  ///   even of equal values.
  static func name(for value: Data, isInUse: (String) -> Bool) -> String {
    guard isDerived.withLock({ $0 }) else { return UUID().uuidString }
    let digest = SHA256.hash(data: value)
    for number in UInt64(0)... {
      let name = uuid(of: digest, number: number)
      if !isInUse(name) { return name }
    }
    return UUID().uuidString
  }

  /// The first bits of a digest of the value's digest and a number, as a UUID of version 8, which
  /// RFC 9562 leaves to applications.
  private static func uuid(of digest: [UInt8], number: UInt64) -> String {
    var hash = SHA256()
    hash.update(data: digest)
    withUnsafeBytes(of: number.bigEndian) { hash.update(data: $0) }
    var bytes = Array(hash.finalize().prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
  }
}
