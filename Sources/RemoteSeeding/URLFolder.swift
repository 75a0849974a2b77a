import Foundation
import Seeding
import Texts

/// The folder of a seed at a URL: files that its values are taken from, on the same server and under the same folder.
struct URLFolder: RemoteFolder {
  /// The location of the seed itself.
  let place: RemoteLocation
  let options: RemoteSeedOptions
  let cancellation: SeedCancellation

  var needsChecksums: Bool { options.verification != nil && !options.allowsUnverifiedFiles }

  func fetch(
    _ paths: [(path: SeedFilePath, hasChecksum: Bool)],
    largest: Int
  ) throws -> [SeedFilePath: Result<TemporaryFile, SeedError>] {
    guard !paths.isEmpty else { return [:] }
    let client = SeedClient(options: options, cancellation: cancellation)
    defer { client.close() }
    var fetched: [SeedFilePath: Result<TemporaryFile, SeedError>] = [:]
    var remaining = options.largestSize
    var failure: SeedError?
    for (path, hasChecksum) in paths where hasChecksum || !needsChecksums {
      if let failure {
        fetched[path] = .failure(failure)
        continue
      }
      do {
        let (file, size) = try fetch(
          path,
          client: client,
          hasChecksum: hasChecksum,
          largest: min(largest, remaining)
        )
        remaining -= size
        fetched[path] = .success(file)
      } catch {
        let described = Self.described(error, place: place)
        if described.code == .cancelled { throw described }
        fetched[path] = .failure(described)
        // A server that does not answer is not asked for each of the other files as well, until the time is up.
        if described.code == .notFetched, Self.isLasting(described) { failure = described }
      }
    }
    return fetched
  }

  /// Returns true when the next request would fail alike: no answer came, however often it was tried.
  private static func isLasting(_ error: SeedError) -> Bool { error.underlyingError != nil }

  private static func described(_ error: any Error, place: RemoteLocation) -> SeedError {
    error as? SeedError
      ?? SeedError(
        code: .unreadableFile,
        at: place.position,
        problem: "the file cannot be kept: \(ErrorWords.describe(error))",
        remedy: "make room in \(FileManager.default.temporaryDirectory.path)",
        underlying: error
      )
  }

  private func fetch(
    _ path: SeedFilePath,
    client: SeedClient,
    hasChecksum: Bool,
    largest: Int
  ) throws -> (TemporaryFile, size: Int) {
    guard let place = place.sibling(path.components) else {
      throw SeedError(
        code: .notFetched,
        at: place.position,
        problem: "no URL can be made of \"\(path.text.abbreviated)\"",
        remedy: "correct the path"
      )
    }
    try place.check(isVerified: hasChecksum)
    let file = try TemporaryFile()
    var request = SeedRequest(place: place, largestSize: largest)
    request.fields = options.headers.map { ($0, $1) }
    request.isVerified = hasChecksum
    request.staysWithServer = true
    _ = try client.get(request, into: file.url)
    let size = try FileManager.default.attributesOfItem(atPath: file.url.path)[.size] as? Int
    return (file, size ?? 0)
  }
}
