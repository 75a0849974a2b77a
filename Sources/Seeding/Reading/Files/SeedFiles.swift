import Digests
import Foundation
import Texts

/// The location from which the files of a fetched seed are fetched.
package protocol RemoteFolder: Sendable {
  /// True when a file has to have its checksum in the seed: what the seed was held against does not cover it.
  var needsChecksums: Bool { get }

  /// Fetches files one after the other.
  ///
  /// - Parameters:
  ///   - paths: The files, and whether the seed has a checksum of each.
  ///   - largest: The largest number of bytes of one file.
  /// - Returns: Each file, or the reason why it cannot be fetched.
  /// - Throws: A `SeedError` with the code `cancelled` when the run was cancelled.
  func fetch(_ paths: [(path: SeedFilePath, hasChecksum: Bool)], largest: Int) throws -> [SeedFilePath:
    Result<TemporaryFile, SeedError>]
}

/// The files that a seed takes values from, by `{"$file": "photos/pasta.jpg"}`.
///
/// The files are found when the seed is loaded, because a seed with another photo is another seed:
/// its content hash includes theirs. When their bytes are read later, they have to be unchanged.
struct SeedFiles: Sendable {
  /// The place at which the paths begin.
  enum Place: Sendable {
    /// The seed does not have a folder, for the reason in an error.
    case nowhere(String)
    case folder(URL)
    case remote(any RemoteFolder)
  }

  /// A file that is there.
  private struct Found: Sendable {
    let url: URL
    /// SHA-256, in hexadecimal.
    let hash: String
    /// Keeps the file of a seed that was fetched as long as it may be read.
    let fetched: TemporaryFile?
  }

  static let nowhere = SeedFiles(place: .nowhere("the seed has no folder"), limits: SeedLimits())

  let limits: SeedLimits
  private let place: Place
  private var found: [SeedFilePath: Result<Found, AttributeConversion.Failure>] = [:]

  init(place: Place, limits: SeedLimits) {
    self.place = place
    self.limits = limits
  }

  /// The bytes that show whether a seed may name files: every format contains the key literally.
  static let mark = Array(ComputedValue.fileKey.utf8)

  // MARK: - Finding

  /// Finds all files that the records name.
  ///
  /// - Throws: A `SeedError` for text that is broken, and when the run was cancelled.
  mutating func find(in reader: any SeedRecordReader) throws {
    var reader = reader
    var paths: [SeedFilePath: Bool] = [:]
    while let record = try reader.next() {
      for field in record.fields { Self.collect(field.value, paths: &paths) }
    }
    let sorted = paths.sorted { $0.key < $1.key }
    switch place {
    case .nowhere: return
    case .folder(let folder):
      var remaining = limits.largestSize
      for (path, _) in sorted { found[path] = local(path, in: folder, remaining: &remaining) }
    case .remote(let folder):
      let fetched = try folder.fetch(sorted.map { ($0.key, $0.value) }, largest: limits.largestRecord)
      var remaining = limits.largestSize
      for (path, outcome) in fetched { found[path] = remote(path, outcome: outcome, remaining: &remaining) }
    }
  }

  /// Notes the paths, and whether each has a checksum. A wrong path is an error only when its record is planned.
  private static func collect(_ value: SeedValue, paths: inout [SeedFilePath: Bool]) {
    switch value {
    case .array(let values):
      for value in values { collect(value, paths: &paths) }
    case .object(let fields):
      if case .file(let text, let checksum) = try? ComputedValue(value), let path = try? SeedFilePath(text) {
        paths[path] = paths[path] ?? false || checksum != nil
      }
      for field in fields { collect(field.value, paths: &paths) }
    default: break
    }
  }

  private func local(_ path: SeedFilePath, in folder: URL, remaining: inout Int)
    -> Result<Found, AttributeConversion.Failure>
  {
    do {
      let url = try Self.real(path, in: folder)
      return .success(try hashed(url, path: path, fetched: nil, remaining: &remaining))
    } catch {
      return .failure(Self.described(error, path: path))
    }
  }

  private func remote(
    _ path: SeedFilePath,
    outcome: Result<TemporaryFile, SeedError>,
    remaining: inout Int
  )
    -> Result<Found, AttributeConversion.Failure>
  {
    do {
      let file = try outcome.get()
      return .success(try hashed(file.url, path: path, fetched: file, remaining: &remaining))
    } catch {
      return .failure(Self.described(error, path: path))
    }
  }

  private static func described(_ error: any Error, path: SeedFilePath) -> AttributeConversion.Failure {
    if let failure = error as? AttributeConversion.Failure { return failure }
    guard let error = error as? SeedError else {
      return .init(code: .unreadableFile, problem: ErrorWords.describe(error), remedy: "check the file")
    }
    return .init(
      code: error.code,
      problem: "the file \"\(path.text.abbreviated)\" cannot be had: \(error.problem)",
      remedy: error.remedy
    )
  }

  /// The URL of the file once links have been followed, which may not lead out of the folder.
  private static func real(_ path: SeedFilePath, in folder: URL) throws(AttributeConversion.Failure) -> URL {
    let file = path.components.reduce(folder) { $0.appendingPathComponent($1) }
    guard let root = realPath(folder.path), let real = realPath(file.path) else {
      throw AttributeConversion.Failure(
        code: .unreadableFile,
        problem: "there is no file \"\(path.text.abbreviated)\" beside the seed",
        remedy: "add it, or correct the path, which begins at the seed's own folder"
      )
    }
    guard real.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
      throw AttributeConversion.Failure(
        code: .unreadableFile,
        problem: "a link on the way to \"\(path.text.abbreviated)\" leads out of the seed's folder",
        remedy: "put the file itself there"
      )
    }
    return URL(fileURLWithPath: real)
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private func hashed(_ url: URL, path: SeedFilePath, fetched: TemporaryFile?, remaining: inout Int)
    throws -> Found
  {
    let handle = try RegularFile(url, shownAs: path.text).handle
    var hash = SHA256()
    var size = 0
    while case let block = try read(handle, path: path), !block.isEmpty {
      hash.update(data: block)
      size += block.count
      remaining -= block.count
      try check(size, remaining: remaining, path: path)
    }
    return Found(url: url, hash: HexadecimalDigits.of(hash.finalize()), fetched: fetched)
  }

  private func read(_ handle: FileHandle, path: SeedFilePath) throws -> Data {
    try SeedBytes.reading(path.text) { try handle.read(upToCount: SeedBytes.blockSize) ?? Data() }
  }

  private func check(_ size: Int, remaining: Int, path: SeedFilePath) throws(AttributeConversion.Failure) {
    guard size > limits.largestRecord || remaining < 0 else { return }
    let problem =
      remaining < 0
      ? "the seed's files have more than the \(limits.largestSize) bytes that are allowed"
      : "the file \"\(path.text.abbreviated)\" has more than the \(limits.largestRecord) bytes that are allowed"
    throw AttributeConversion.Failure(
      code: .tooLarge,
      problem: problem,
      remedy: remaining < 0
        ? "split the seed, or allow larger ones" : "make it smaller, or allow larger records"
    )
  }

  /// The digest that the content hash of the seed has to have in it besides the seed's own bytes;
  /// nil for a seed that names no file.
  var digest: String? {
    guard !found.isEmpty else { return nil }
    var hash = SHA256()
    for (path, file) in found.sorted(by: { $0.key < $1.key }) {
      let content = if case .success(let file) = file { file.hash } else { "" }
      hash.update(data: Data("\(path.text)\0\(content)\0".utf8))
    }
    return HexadecimalDigits.of(hash.finalize())
  }

  // MARK: - Reading

  /// The bytes of a file.
  /// - Parameter checksum: The expected SHA-256, in hexadecimal; nil to skip the check.
  func contents(of text: String, sha256 checksum: String?) throws(AttributeConversion.Failure) -> Data {
    let path = try SeedFilePath(text)
    if case .nowhere(let reason) = place {
      throw AttributeConversion.Failure(
        code: .unreadableFile,
        problem: "\(reason), in which \"\(path.text.abbreviated)\" could be",
        remedy: "seed from a file, or give the bytes in Base64"
      )
    }
    if case .remote(let folder) = place, folder.needsChecksums, checksum == nil {
      throw AttributeConversion.Failure(
        code: .notVerified,
        problem:
          "the seed is verified, and its checksum or signature does not cover the file \"\(path.text.abbreviated)\"",
        remedy:
          "write the file's SHA-256 beside it, under \(ComputedValue.checksumKey), or allow files that are not verified"
      )
    }
    guard let found = found[path] else {
      throw AttributeConversion.Failure(
        problem:
          "\(ComputedValue.fileKey) is spelled with escapes, or the text is not in UTF-8, so that the file was not found when "
          + "the seed was loaded",
        remedy: "write \(ComputedValue.fileKey) as it is"
      )
    }
    let file = try found.get()
    if let checksum, checksum != file.hash {
      throw AttributeConversion.Failure(
        code: .notVerified,
        problem:
          "the SHA-256 of \"\(path.text.abbreviated)\" is \(file.hash), and \(checksum.abbreviated) stands in the seed",
        remedy: "correct the checksum, or find out who changed the file"
      )
    }
    return try contents(of: file, path: path)
  }

  private func contents(of file: Found, path: SeedFilePath) throws(AttributeConversion.Failure) -> Data {
    do {
      let handle = try RegularFile(file.url, shownAs: path.text).handle
      var data = Data()
      while case let block = try read(handle, path: path), !block.isEmpty {
        data.append(block)
        try check(data.count, remaining: 0, path: path)
      }
      guard HexadecimalDigits.of(SHA256.hash(data: data)) == file.hash else {
        throw AttributeConversion.Failure(
          code: .unreadableFile,
          problem: "the file \"\(path.text.abbreviated)\" was changed while the seed was read",
          remedy: "seed again when it is finished"
        )
      }
      return data
    } catch {
      throw Self.described(error, path: path)
    }
  }
}
