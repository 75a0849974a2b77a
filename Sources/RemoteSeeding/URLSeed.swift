import Digests
public import Foundation
public import Seeding

extension SeedSource {
  /// A seed that is fetched over HTTP or HTTPS.
  ///
  /// ```swift
  /// var options = RemoteSeedOptions()
  /// options.timeout = .seconds(10)
  /// options.retries = 0
  /// let shipped = SeedSource.bundle(.module, "plants.jsonl")
  /// let plants = SeedSource.url(address, options: options, fallback: shipped)
  /// try await Seeder(plants).run(in: container)
  /// ```
  ///
  /// The seed is downloaded into a temporary file, verified, and then read like a file, so that memory does not grow
  /// with its size. The save that imports the seed also writes the version that the server reported (`ETag`,
  /// `Last-Modified`) into the store. Later requests ask for a different version only, and the store is not touched if
  /// the server has none. If the seed cannot be fetched, the fallback is read instead, if one is given. A store that
  /// has already imported the seed keeps what it has. A `SeedError` shows the URL without its user, password and query.
  ///
  /// The ending of the URL's path or of the name gives the format, or else the content type.
  ///
  /// The system's libcurl, which is loaded when it is needed, fetches the seed. On systems without
  /// it, such as iOS, tvOS, watchOS and visionOS, the seed cannot be fetched.
  /// - Parameters:
  ///   - url: An `http` or `https` URL.
  ///   - name: The name for the store's ledger; nil for the last component of the URL's path.
  ///   - options: Timeouts, retries, limits, verification.
  ///   - fallback: The seed that is read if this one cannot be fetched, such as an older one in the app's bundle.
  public static func url(
    _ url: URL,
    name: String? = nil,
    options: RemoteSeedOptions = RemoteSeedOptions(),
    fallback: SeedSource? = nil
  ) -> SeedSource {
    let component = url.lastPathComponent
    let name = name ?? (component.isEmpty || component == "/" ? url.host ?? "seed" : component)
    return .remote(URLSeed(url: url, name: name, options: options, fallback: fallback), name: name)
  }
}

/// A seed at a URL.
struct URLSeed: RemoteSeed {
  let url: URL
  let name: String
  let options: RemoteSeedOptions
  let fallback: SeedSource?

  /// The URL is hashed, because its query may contain private data.
  var address: String { HexadecimalText.of(SHA256.hash(data: Data(url.absoluteString.utf8))) }

  func fetch(after imported: SeedLedger.Entry?, isNeeded: Bool, cancellation: SeedCancellation) throws -> FetchedSeed {
    do {
      return try fetched(imported, isNeeded: isNeeded, cancellation: cancellation)
    } catch let error as SeedError {
      // The fallback replaces a seed that cannot be fetched. It does not replace a seed that fails
      // its verification, or a seed whose run was cancelled.
      guard let fallback, error.code != .notVerified, error.code != .cancelled else { throw error }
      // An older fallback would overwrite the store's data with earlier values.
      return imported == nil ? .fallback(fallback, because: error) : .unavailable(because: error)
    }
  }

  private func fetched(
    _ imported: SeedLedger.Entry?,
    isNeeded: Bool,
    cancellation: SeedCancellation
  ) throws -> FetchedSeed {
    let place = RemoteLocation(url)
    try place.check(isVerified: options.verification != nil)
    let verifier = try SeedVerifier(verification: options.verification, of: place, settings: options.transfer)
    if let checksum = verifier.checksum, checksum == imported?.contentHash, !isNeeded { return .unchanged }
    let client = SeedClient(options: options, cancellation: cancellation)
    defer { client.close() }

    let file = try temporaryFile(place)
    var request = SeedRequest(place: place, largestSize: options.largestSize)
    request.contentTypes = options.contentTypes ?? SeedContentType.all(for: format)
    request.fields = options.headers.map { ($0, $1) }
    request.acceptsCompression = !format.isCompressed
    request.isVerified = options.verification != nil
    // With a checksum, the request does not name the known version, because a changed checksum asks
    // for another seed, whatever its version on the server.
    if !isNeeded, verifier.checksum == nil { request.known = imported?.origin }

    let answer = try client.get(request, into: file.url)
    guard case .content(let content) = answer else { return .unchanged }
    try verifier.verify(file.url, content: content, client: client, request.fields)
    let origin = SeedOrigin(address: address, entityTag: content.entityTag, lastModified: content.lastModified)
    return .file(
      file,
      name: fileName(content, file: file.url),
      shownAs: place.text,
      largestSize: options.largestSize,
      URLFolder(place: place, options: options, cancellation: cancellation),
      origin
    )
  }

  private func temporaryFile(_ place: RemoteLocation) throws -> TemporaryFile {
    do {
      return try TemporaryFile()
    } catch {
      throw SeedError(
        code: .unreadableFile,
        at: place.position,
        problem: "no temporary file can be made for the seed: \(ErrorWords.describe(error))",
        remedy: "make room in \(FileManager.default.temporaryDirectory.path)",
        underlying: error
      )
    }
  }

  /// The file name that tells the format: the end of the path, or else the name of the seed.
  private var format: SeedFileName {
    let path = SeedFileName(url.lastPathComponent)
    return SeedFormat(path) == nil ? SeedFileName(name) : path
  }

  /// A name that tells the format: of the path, of the seed, or after the content type.
  private func fileName(_ content: SeedContent, file: URL) -> String {
    let names = [url.lastPathComponent, name]
    let named = names.first { SeedFormat(SeedFileName($0)) != nil }
    var name = named ?? "\(name).\(SeedContentType.ending(for: content.type) ?? "json")"
    // Servers that send a compressed file as compressed text have it expanded on the way.
    if SeedFileName(name).isCompressed, !Self.isCompressed(file) { name.removeLast(".gz".count) }
    return name
  }

  private static func isCompressed(_ file: URL) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 2)) == Data([0x1F, 0x8B])
  }
}
