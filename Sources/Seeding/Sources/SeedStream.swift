import Foundation
import Synchronization

/// A seed that comes from a pipe, as standard input does. It goes into a temporary file, since
/// seeds are read several times: for their hash, and again where references lead back and forth.
final class SeedStream: Sendable {
  private let handle: FileHandle
  /// The file of what was read, once it was: nothing comes from a stream twice.
  private let file = Mutex<TemporaryFile?>(nil)

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// The file with all that the stream has.
  ///
  /// - Throws: A `SeedError` when it is larger than allowed or cannot be read.
  func file(shownAs name: String, _ limits: SeedLimits) throws -> TemporaryFile {
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
            .tooLarge,
            at: SeedPosition(file: name),
            "the stream has more than the \(limits.largestSize) bytes that are allowed",
            remedy: "split it, or allow more"
          )
        }
        do {
          try writing.write(contentsOf: block)
        } catch {
          throw SeedError(
            .unreadableFile,
            at: SeedPosition(file: name),
            "the stream cannot be written to a temporary file: \(ErrorWords.describe(error))",
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
