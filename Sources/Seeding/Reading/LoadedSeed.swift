import Crypto
import Foundation

/// A seed that was found, and can be read as often as need be.
struct LoadedSeed: Sendable {
  /// The name under which the store keeps account of it.
  let name: String

  /// How errors name it.
  let file: String

  /// SHA-256 of the bytes as they lie there, in hexadecimal.
  let contentHash: String

  /// How many bytes lie there.
  let size: Int

  /// Where the seed was fetched.
  let origin: SeedOrigin?

  /// Why another seed cannot be had, in whose place this one stands.
  var fetchFailure: SeedError?

  /// Whether the store has it already, and it is read for what others of the run say of its records.
  var isStanding = false

  private let place: SeedBytes.Place
  private let limits: SeedLimits
  private let stamp: RegularFile.Stamp?

  /// What tells the format.
  private let fileName: SeedFileName

  /// Keeps the file of a seed that was fetched as long as it may be read.
  private let fetched: TemporaryFile?

  init(name: String, file: String, data: Data, limits: SeedLimits = SeedLimits()) {
    self.name = name
    self.file = file
    self.limits = limits
    place = .data(data)
    size = data.count
    contentHash = Self.hexadecimal(SHA256.hash(data: data))
    stamp = nil
    fileName = SeedFileName(file)
    origin = nil
    fetched = nil
  }

  /// Reads a file once, for its hash. Throws a `SeedError` when it cannot be read.
  init(name: String, file: String, url: URL, limits: SeedLimits) throws {
    try self.init(name: name, file: file, url: url, SeedFileName(file), limits, nil, nil)
  }

  /// A seed that was fetched into a file.
  init(
    name: String,
    file: TemporaryFile,
    named fileName: String,
    shownAs place: String,
    limits: SeedLimits,
    _ origin: SeedOrigin
  ) throws {
    try self.init(name: name, file: place, url: file.url, SeedFileName(fileName), limits, origin, file)
  }

  private init(
    name: String,
    file: String,
    url: URL,
    _ fileName: SeedFileName,
    _ limits: SeedLimits,
    _ origin: SeedOrigin?,
    _ fetched: TemporaryFile?
  ) throws {
    self.name = name
    self.file = file
    self.fileName = fileName
    self.origin = origin
    self.fetched = fetched
    self.limits = limits
    place = .file(url)
    let bytes = try SeedBytes(place, file: file, limits: limits)
    stamp = bytes.stamp
    var hash = SHA256()
    while case let block = try bytes.next(), !block.isEmpty { hash.update(data: block) }
    contentHash = Self.hexadecimal(hash.finalize())
    size = bytes.position
  }

  /// A reader of its records, by the end of its name; what has a name that tells no format is taken for JSON.
  func records() throws -> any SeedRecordReader {
    try reading().records
  }

  /// A reader, and the bytes that it reads, which know how far it is.
  func reading(blockSize: Int = SeedBytes.blockSize) throws -> (
    records: any SeedRecordReader, bytes: SeedBytes
  ) {
    let name = fileName
    let bytes = try SeedBytes(
      place,
      isCompressed: name.isCompressed,
      file: file,
      blockSize: blockSize,
      limits: limits
    )
    let records: any SeedRecordReader =
      switch SeedFormat(name) ?? .json {
      case .json: try JSONSeedReader(bytes, file: file)
      case .jsonLines: try JSONLinesSeedReader(bytes, file: file, word: name.stem)
      case .separatedValues: try SeparatedValuesSeedReader(bytes, file: file, word: name.stem)
      case .yaml: try YAMLSeed.reader(bytes.all(), file: file, limits)
      case .propertyList: try PropertyListSeed.reader(bytes.all(), file: file, limits)
      }
    return (records, bytes)
  }

  /// Throws when the file was written since its hash was taken: then another seed may have been read.
  func checkIsUnchanged() throws {
    guard case .file(let url) = place else { return }
    guard try RegularFile(url, shownAs: file).stamp == stamp else {
      throw SeedError(
        .unreadableFile,
        at: SeedPosition(file: file),
        "the file was changed while it was read",
        remedy: "seed again when it is finished"
      )
    }
  }

  private static func hexadecimal(_ digest: SHA256.Digest) -> String {
    digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
