import Deflate
import Foundation

/// The bytes of a seed as its format has them, block by block: of data or a file, expanded where it is compressed.
final class SeedBytes {
  /// Where the bytes are.
  enum Place: Sendable {
    case data(Data)
    case file(URL)
  }

  static let blockSize = 256 << 10

  let limits: SeedLimits
  private let place: Place
  private let file: String
  private let blockSize: Int
  private let regular: RegularFile?
  private let expansion: Deflate.Expansion?
  /// The number of bytes that were given.
  private var size = 0

  /// The number of bytes that were read so far, before decompression.
  private(set) var position = 0

  /// The stamp of the file's version that is being read; nil for data.
  var stamp: RegularFile.Stamp? { regular?.stamp }

  /// - Parameter file: The name by which errors call the seed.
  init(
    _ place: Place,
    isCompressed: Bool = false,
    file: String,
    blockSize: Int = SeedBytes.blockSize,
    limits: SeedLimits = SeedLimits()
  ) throws {
    self.place = place
    self.file = file
    self.blockSize = blockSize
    self.limits = limits
    expansion = isCompressed ? try Deflate.Expansion() : nil
    if case .file(let url) = place {
      regular = try RegularFile(url, shownAs: file)
    } else {
      regular = nil
    }
  }

  /// The next bytes, empty at the end.
  /// - Parameter least: The least number of bytes that there should be; the last block is shorter.
  func next(atLeast least: Int = 0) throws -> [UInt8] {
    var block = try nextBlock()
    while block.count < least {
      let more = try nextBlock()
      if more.isEmpty { break }
      block += more
    }
    return block
  }

  /// All remaining bytes, for formats that are read as a whole.
  func all() throws -> Data {
    var data = Data()
    while case let block = try next(), !block.isEmpty {
      data.append(contentsOf: block)
      guard data.count <= limits.largestDocument else {
        throw SeedError(
          code: .tooLarge,
          at: SeedPosition(file: file),
          problem:
            "the file has more than the \(limits.largestDocument) bytes that are allowed of one that is read as a whole",
          remedy: "split it, write it as JSON, which is read record by record, or allow more"
        )
      }
    }
    return data
  }

  private func nextBlock() throws -> [UInt8] {
    let block = try expansion.map(expanded) ?? stored()
    size += block.count
    guard size <= limits.largestSize else { throw tooLarge }
    return block
  }

  private func expanded(_ expansion: Deflate.Expansion) throws -> [UInt8] {
    while true {
      do {
        let block = try expansion.next()
        if !block.isEmpty { return block }
      } catch {
        throw notCompressed
      }
      let piece = try stored()
      if piece.isEmpty {
        do { try expansion.finish() } catch { throw notCompressed }
        return []
      }
      expansion.add(piece)
    }
  }

  /// The next bytes before decompression.
  private func stored() throws -> [UInt8] {
    let block: [UInt8]
    switch place {
    case .data(let data): block = [UInt8](data.dropFirst(position).prefix(blockSize))
    case .file:
      block = try Self.reading(file) { [UInt8](try regular?.handle.read(upToCount: blockSize) ?? Data()) }
    }
    position += block.count
    return block
  }

  private var notCompressed: SeedError {
    SeedError(
      code: .brokenText,
      at: SeedPosition(file: file),
      problem: "the file is not compressed by gzip, or breaks off",
      remedy: "compress it again, or take .gz off its name"
    )
  }

  private var tooLarge: SeedError {
    let verb = expansion == nil ? "has" : "expands to"
    return SeedError(
      code: .tooLarge,
      at: SeedPosition(file: file),
      problem: "the file \(verb) more than the \(limits.largestSize) bytes that are allowed",
      remedy: "split it, or allow more"
    )
  }

  static func reading<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw SeedError(
        code: .unreadableFile,
        at: SeedPosition(file: file),
        problem: "the file cannot be read: \(error.localizedDescription)",
        remedy: "check its permissions",
        underlying: error
      )
    }
  }
}
