import Deflate
import Foundation

/// The bytes of a seed as its format has them, block by block: of data or a file, expanded where it is compressed.
final class SeedBytes {
  /// Where the bytes lie.
  enum Place: Sendable {
    case data(Data)
    case file(URL)
  }

  /// A compressed seed may expand to this many bytes, so that a small file cannot fill a disk.
  private static let largestExpanded = 4 << 30
  static let blockSize = 256 << 10

  private let place: Place
  private let file: String
  private let blockSize: Int
  private let handle: FileHandle?
  private let expansion: Deflate.Expansion?
  private var expanded = 0

  /// How many bytes were read of what lies there.
  private(set) var position = 0

  /// - Parameter file: How errors name it.
  init(_ place: Place, isCompressed: Bool = false, file: String, blockSize: Int = SeedBytes.blockSize) throws
  {
    self.place = place
    self.file = file
    self.blockSize = blockSize
    expansion = isCompressed ? try Deflate.Expansion() : nil
    if case .file(let url) = place {
      handle = try Self.reading(file) { try FileHandle(forReadingFrom: url) }
    } else {
      handle = nil
    }
  }

  deinit { try? handle?.close() }

  /// The next bytes, empty at the end.
  /// - Parameter least: How many there should be at least; the last block is shorter.
  func next(atLeast least: Int = 0) throws -> [UInt8] {
    var block = try nextBlock()
    while block.count < least {
      let more = try nextBlock()
      if more.isEmpty { break }
      block += more
    }
    return block
  }

  /// All that is left, for formats that are read as a whole.
  func all() throws -> Data {
    var data = Data()
    while case let block = try next(), !block.isEmpty { data.append(contentsOf: block) }
    return data
  }

  private func nextBlock() throws -> [UInt8] {
    guard let expansion else { return try stored() }
    while true {
      let stored = try stored()
      do {
        if stored.isEmpty {
          try expansion.finish()
          return []
        }
        let block = try expansion.expand(stored)
        expanded += block.count
        if expanded > Self.largestExpanded { throw Deflate.Failure.tooLarge }
        if !block.isEmpty { return block }
      } catch {
        throw broken(error)
      }
    }
  }

  /// The next bytes as they lie there.
  private func stored() throws -> [UInt8] {
    let block: [UInt8]
    switch place {
    case .data(let data): block = [UInt8](data.dropFirst(position).prefix(blockSize))
    case .file:
      block = try Self.reading(file) { [UInt8](try handle?.read(upToCount: blockSize) ?? Data()) }
    }
    position += block.count
    return block
  }

  private func broken(_ error: any Error) -> SeedError {
    let isTooLarge = error as? Deflate.Failure == .tooLarge
    return SeedError(
      isTooLarge ? .unreadableFile : .brokenText,
      at: SeedPosition(file: file),
      isTooLarge
        ? "the file expands to more than 4 GiB" : "the file is not compressed by gzip, or breaks off",
      remedy: isTooLarge ? "split it" : "compress it again, or take .gz off its name"
    )
  }

  static func reading<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw SeedError(
        .unreadableFile,
        at: SeedPosition(file: file),
        "the file cannot be read: \(error.localizedDescription)",
        remedy: "check its permissions",
        underlying: error
      )
    }
  }
}

/// The part of a text that is at hand: it begins where the reader is, and grows by blocks.
struct SeedWindow {
  private(set) var bytes: [UInt8] = []
  private let source: SeedBytes

  /// Whether nothing follows what is at hand.
  private(set) var isLast = false

  init(_ source: SeedBytes) throws {
    self.source = source
    // A byte order mark has three bytes.
    while bytes.count < 3, !isLast { try extend(droppingFirst: 0) }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
  }

  /// Lets go of what was read, and takes more in: as much again as is left, so that a long value is not gone over
  /// more than a few times.
  mutating func extend(droppingFirst count: Int) throws {
    bytes.removeFirst(count)
    let block = try source.next(atLeast: bytes.count)
    if block.isEmpty { isLast = true }
    bytes += block
  }
}
