import Foundation
import Synchronization

/// A seed from a pipe, such as standard input. It is written into a temporary file, because seeds
/// are read several times: once for their hash, and again if references lead back and forth.
final class SeedStream: Sendable {
  private let handle: FileHandle
  /// The file with the bytes, once they were read, because a stream cannot be read twice.
  private let file = Mutex<TemporaryFile?>(nil)

  init(_ handle: FileHandle) { self.handle = handle }

  /// The file with all that the stream has.
  ///
  /// - Throws: A `SeedError` when it is larger than allowed or cannot be read.
  func file(shownAs name: String, limits: SeedLimits) throws -> TemporaryFile {
    try file.withLock { file in
      if let file { return file }
      let temporary = try SeedBytes.reading(name) { try TemporaryFile() }
      let writing = try SeedBytes.reading(name) { try FileHandle(forWritingTo: temporary.url) }
      defer { try? writing.close() }
      var size = 0
      while case let block = try nextBlock(name), !block.isEmpty {
        size += block.count
        guard size <= limits.largestSize else {
          throw SeedError(
            code: .tooLarge,
            at: SeedPosition(file: name),
            problem: "the stream has more than the \(limits.largestSize) bytes that are allowed",
            remedy: "split it, or allow more"
          )
        }
        do {
          try writing.write(contentsOf: block)
        } catch {
          throw SeedError(
            code: .unreadableFile,
            at: SeedPosition(file: name),
            problem: "the stream cannot be written to a temporary file: \(ErrorWords.describe(error))",
            remedy: "make room in \(FileManager.default.temporaryDirectory.path)",
            underlying: error
          )
        }
      }
      file = temporary
      return temporary
    }
  }

  private func nextBlock(_ name: String) throws -> Data {
    try SeedBytes.reading(name) { try handle.read(upToCount: SeedBytes.blockSize) ?? Data() }
  }
}
