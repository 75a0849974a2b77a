import Digests
import Foundation
import Texts

/// A seed that was found, and can be read as often as need be.
struct LoadedSeed: Sendable {
  /// The name under which the store's ledger has it.
  let name: String

  /// The name by which errors call it.
  let file: String

  /// SHA-256 of the bytes as they lie there, in hexadecimal; of a seed that takes values from
  /// files, of that and of theirs.
  private(set) var contentHash: String

  /// The number of bytes of the content.
  let size: Int

  /// The origin of a fetched seed.
  private(set) var origin: SeedOrigin?

  /// The files that values are loaded from.
  private(set) var files: SeedFiles

  /// The error of the seed that this fallback replaces.
  var fetchFailure: SeedError?

  /// The address of that seed.
  var standsFor: String?

  /// The address of the seed that it is a version of; nil where that is not fetched.
  var address: String? { origin?.address ?? standsFor }

  /// True if the store already has the seed's content, and the seed is read because other seeds of
  /// the run may refer to its records.
  var isUnchangedSeed = false

  private let place: SeedBytes.Place
  private let limits: SeedLimits
  private let stamp: RegularFile.Stamp?

  /// The file name that gives the format.
  private let fileName: SeedFileName

  /// Keeps the file of a seed that was fetched as long as it may be read.
  private let fetched: TemporaryFile?

  init(name: String, file: String, data: Data, limits: SeedLimits = SeedLimits()) {
    self.name = name
    self.file = file
    self.limits = limits
    place = .data(data)
    size = data.count
    contentHash = HexadecimalDigits.of(SHA256.hash(data: data))
    stamp = nil
    fileName = SeedFileName(file)
    origin = nil
    fetched = nil
    files = SeedFiles(place: .nowhere("a seed of bytes in memory has no folder"), limits: limits)
  }

  /// Reads a file once, for its hash.
  ///
  /// - Throws: A `SeedError` when it cannot be read.
  init(name: String, file: String, url: URL, limits: SeedLimits) throws {
    let files = SeedFiles(place: .folder(url.deletingLastPathComponent()), limits: limits)
    try self.init(
      name: name,
      file: file,
      url: url,
      fileName: SeedFileName(file),
      files: files,
      origin: nil,
      fetched: nil
    )
  }

  /// A seed that was fetched into a file.
  init(
    name: String,
    file: TemporaryFile,
    named fileName: String,
    shownAs place: String,
    files: SeedFiles,
    origin: SeedOrigin?
  ) throws {
    try self.init(
      name: name,
      file: place,
      url: file.url,
      fileName: SeedFileName(fileName),
      files: files,
      origin: origin,
      fetched: file
    )
  }

  private init(
    name: String,
    file: String,
    url: URL,
    fileName: SeedFileName,
    files: SeedFiles,
    origin: SeedOrigin?,
    fetched: TemporaryFile?
  ) throws {
    self.name = name
    self.file = file
    self.fileName = fileName
    self.origin = origin
    self.fetched = fetched
    self.files = files
    limits = files.limits
    place = .file(url)
    let bytes = try SeedBytes(place, file: file, limits: limits)
    stamp = bytes.stamp
    var hash = SHA256()
    var search = MarkSearch(SeedFiles.mark)
    while case let block = try bytes.next(), !block.isEmpty {
      hash.update(data: block)
      search.look(at: block)
    }
    contentHash = HexadecimalDigits.of(hash.finalize())
    size = bytes.position
    if try search.isFound || hasMarkWhenExpanded() { try findFiles() }
  }

  /// Returns true when a compressed seed may name files.
  private func hasMarkWhenExpanded() throws -> Bool {
    guard fileName.isCompressed else { return false }
    let bytes = try SeedBytes(place, isCompressed: true, file: file, limits: limits)
    var search = MarkSearch(SeedFiles.mark)
    while !search.isFound, case let block = try bytes.next(), !block.isEmpty { search.look(at: block) }
    return search.isFound
  }

  /// Scans the seed for the files that it names, because they are part of its content.
  private mutating func findFiles() throws {
    try files.find(in: records())
    guard let digest = files.digest else { return }
    contentHash = HexadecimalDigits.of(SHA256.hash(data: Data((contentHash + digest).utf8)))
    // The server tells the version of the seed, and not those of its files: all are to be looked at the next time.
    origin = origin.map { SeedOrigin(address: $0.address, entityTag: nil, lastModified: nil) }
  }

  /// A reader of its records, chosen by the ending of its name; JSON if the ending is unknown.
  func records() throws -> any SeedRecordReader { try reading().records }

  /// A reader, and the bytes that it reads, which know how far it is.
  func reading(blockSize: Int = SeedBytes.blockSize) throws -> (records: any SeedRecordReader, bytes: SeedBytes) {
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
      case .json: try JSONSeedReader(bytes, file: file, word: name.stem)
      case .jsonLines: try JSONLinesSeedReader(bytes, file: file, word: name.stem)
      case .separatedValues: try SeparatedValuesSeedReader(bytes, file: file, word: name.stem)
      case .yaml: try YAMLSeed.reader(bytes.all(), file: file, word: name.stem, limits: limits)
      case .propertyList: try PropertyListSeed.reader(bytes.all(), file: file, word: name.stem, limits: limits)
      }
    return (records, bytes)
  }

  /// Checks that the file was not written since its hash was computed, because another content may have been read.
  ///
  /// - Throws: A `SeedError` when it was.
  func checkIsUnchanged() throws {
    guard case .file(let url) = place else { return }
    guard try RegularFile(url, shownAs: file).stamp == stamp else {
      throw SeedError(
        code: .unreadableFile,
        at: SeedPosition(file: file),
        problem: "the file was changed while it was read",
        remedy: "seed again when it is finished"
      )
    }
  }
}

/// Searches blocks of a text for some bytes, which may cross a block's end.
private struct MarkSearch {
  private let mark: [UInt8]
  private var tail: [UInt8] = []
  private(set) var isFound = false

  init(_ mark: [UInt8]) { self.mark = mark }

  mutating func look(at block: [UInt8]) {
    guard !isFound else { return }
    isFound = Self.has(mark, bytes: tail + block.prefix(mark.count)) || Self.has(mark, bytes: block)
    let end = tail + block[max(0, block.count - mark.count + 1)...]
    tail = Array(end[max(0, end.count - mark.count + 1)...])
  }

  private static func has(_ mark: [UInt8], bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard var start = bytes.baseAddress else { return false }
      let end = start + bytes.count
      while start + mark.count <= end, let next = memchr(start, Int32(mark[0]), end - start) {
        let place = UnsafeRawPointer(next)
        guard place + mark.count <= end else { return false }
        if memcmp(place, mark, mark.count) == 0 { return true }
        start = place + 1
      }
      return false
    }
  }
}
