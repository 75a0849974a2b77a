import Crypto
import Deflate
import Foundation

/// A seed whose bytes are at hand.
struct LoadedSeed: Sendable {
  /// A compressed seed may expand to this many bytes, so that a small file cannot fill the memory.
  private static let largestExpanded = 4 << 30

  /// The name under which the store keeps account of it.
  let name: String

  /// How errors name it.
  let file: String

  private let data: Data

  /// SHA-256 of the bytes as they came, in hexadecimal.
  let contentHash: String

  /// What tells the format.
  private let fileName: SeedFileName

  /// Where the seed was fetched.
  let origin: SeedOrigin?

  /// Why another seed cannot be had, in whose place this one stands.
  var fetchFailure: SeedError?

  init(name: String, file: String, data: Data) {
    self.init(name: name, file: file, data: data, SeedFileName(file), nil)
  }

  /// A seed that was fetched into a file.
  init(name: String, file: TemporaryFile, named fileName: String, shownAs place: String, _ origin: SeedOrigin)
    throws
  {
    // Mapped pages stay when the file is removed, and take no memory of the program's own.
    let data = try Data(contentsOf: file.url, options: .alwaysMapped)
    self.init(name: name, file: place, data: data, SeedFileName(fileName), origin)
  }

  private init(name: String, file: String, data: Data, _ fileName: SeedFileName, _ origin: SeedOrigin?) {
    self.name = name
    self.file = file
    self.data = data
    self.fileName = fileName
    self.origin = origin
    contentHash = SHA256.hash(data: data).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// A reader of its records, by the end of its name; what has a name that tells no format is taken for JSON.
  func records() throws -> any SeedRecordReader {
    let name = fileName
    let text = name.isCompressed ? try expanded() : data
    switch SeedFormat(name) ?? .json {
    case .json: return JSONSeedReader(text, file: file)
    case .jsonLines: return JSONLinesSeedReader(text, file: file, word: name.stem)
    case .separatedValues: return try SeparatedValuesSeedReader(text, file: file, word: name.stem)
    case .yaml: return try YAMLSeed.reader(text, file: file)
    case .propertyList: return try PropertyListSeed.reader(text, file: file)
    }
  }

  private func expanded() throws -> Data {
    do {
      return try Deflate.expanded(data, .gzip, atMost: Self.largestExpanded)
    } catch {
      let isTooLarge = error == .tooLarge
      throw SeedError(
        isTooLarge ? .unreadableFile : .brokenText,
        at: SeedPosition(file: file),
        isTooLarge
          ? "the file expands to more than 4 GiB" : "the file is not compressed by gzip, or breaks off",
        remedy: isTooLarge ? "split it" : "compress it again, or take .gz off its name"
      )
    }
  }
}
