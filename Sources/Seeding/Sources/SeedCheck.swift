import Digests
package import Foundation
import Texts

/// A check that a seed file has to pass before it is read.
package protocol SeedCheck: Sendable {
  /// Checks that a file is the expected one.
  /// - Parameters:
  ///   - copy: The bytes of the file, which do not change before they are read.
  ///   - hash: Their SHA-256, in hexadecimal.
  ///   - file: The file's location.
  ///   - place: The name of the file in error messages.
  ///   - cancellation: Ends the wait for the server of the signature.
  /// - Throws: A `SeedError` if it is not.
  func check(
    _ copy: URL,
    hash: String,
    of file: URL,
    shownAs place: String,
    cancellation: SeedCancellation
  ) throws
}

/// A check with the cancellation of its run.
struct RunCheck {
  let check: any SeedCheck
  let cancellation: SeedCancellation

  /// A copy of a file that has passed.
  func verifiedCopy(of file: URL, shownAs place: String, limits: SeedLimits) throws -> TemporaryFile {
    let copy: TemporaryFile
    do { copy = try TemporaryFile() } catch { throw Self.noRoom(place, error: error) }
    let hash = try HashedCopy.write(
      try SeedBytes(.file(file), file: place, limits: limits),
      to: copy.url,
      shownAs: place
    )
    try check.check(copy.url, hash: hash, of: file, shownAs: place, cancellation: cancellation)
    return copy
  }

  private static func noRoom(_ place: String, error: any Error) -> SeedError {
    SeedError(
      code: .unreadableFile,
      at: SeedPosition(file: place),
      problem: "no temporary copy can be made of the seed: \(ErrorWords.describe(error))",
      remedy: "make room in \(FileManager.default.temporaryDirectory.path)",
      underlying: error
    )
  }
}

/// Bytes that are saved to a file while their hash is computed.
private enum HashedCopy {
  /// - Returns: The SHA-256, in hexadecimal.
  static func write(_ bytes: SeedBytes, to copy: URL, shownAs place: String) throws -> String {
    var hash = SHA256()
    do {
      let target = try FileHandle(forWritingTo: copy)
      defer { try? target.close() }
      while case let block = try bytes.next(), !block.isEmpty {
        hash.update(data: block)
        try target.write(contentsOf: block)
      }
    } catch let error as SeedError {
      throw error
    } catch {
      throw SeedError(
        code: .unreadableFile,
        at: SeedPosition(file: place),
        problem: "the seed cannot be copied: \(ErrorWords.describe(error))",
        remedy: "make room in \(FileManager.default.temporaryDirectory.path)",
        underlying: error
      )
    }
    return HexadecimalDigits.of(hash.finalize())
  }
}

/// A file that is read as a whole.
package enum SmallFile {
  /// The bytes of a regular file, or the first of them.
  /// - Parameter place: The name of the file in errors.
  /// - Throws: A `SeedError` if it cannot be read.
  package static func bytes(of file: URL, shownAs place: String, atMost count: Int) throws -> Data {
    let regular = try RegularFile(file, shownAs: place)
    return try SeedBytes.reading(place) { try regular.handle.read(upToCount: count) ?? Data() }
  }
}
