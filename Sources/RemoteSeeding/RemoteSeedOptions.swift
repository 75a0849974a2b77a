/// The options for fetching a remote seed, and the answers that are accepted for it.
///
/// ```swift
/// var options = RemoteSeedOptions()
/// options.headers = ["Authorization": "Bearer 4f1e"]
/// options.totalTimeout = .seconds(60)
/// options.largestSize = 16 << 20
/// ```
public struct RemoteSeedOptions: Sendable {
  /// The longest time that a connection may take, with the lookup of the name and the handshake of
  /// TLS, and the longest time that the server may then send nothing.
  public var timeout: Duration = .seconds(30)

  /// The longest time that all tries together may take, with the pauses between them.
  public var totalTimeout: Duration = .seconds(600)

  /// The number of times that a request is tried again after a failure that may pass: no connection, silence, an answer
  /// that breaks off, the statuses 408, 429 and from 500 on. Other statuses are final.
  public var retries = 3

  /// The pause before the first retry. Each further pause is twice as long, less a random part of
  /// up to a half, so that many programs do not retry at the same time. If a server sends the
  /// seconds to wait (`Retry-After`), the pause has that length.
  public var retryDelay: Duration = .seconds(1)

  /// The largest number of bytes of a seed, after decompression if the server compresses its answer
  /// or if the seed is a compressed file. The transfer of a larger answer stops as soon as its size
  /// is known. The limits of the source (`SeedLimits`) apply, too.
  public var largestSize = 256 << 20

  /// Additional header fields of the request, such as `Authorization`. They are also sent with the
  /// request for the signature, if it is on the same server, with the same scheme, host and port.
  /// Other servers do not receive them: after a redirect to another server, they are left out.
  public var headers: [String: String] = [:]

  /// The checksum or signature that is verified before the seed is read. A seed that comes over
  /// `http` from another machine requires one.
  public var verification: SeedVerification?

  /// True if a verified seed may load values by `$file` from files whose SHA-256 is not given next to the path, under
  /// `$sha256`. If false, such files are refused, because the seed's checksum or signature does not cover them.
  public var allowsUnverifiedFiles = false

  /// The accepted content types, in lower case and without parameters; nil for those of the seed's format and those
  /// that servers send for files of unknown type. An answer without a content type is accepted.
  public var contentTypes: Set<String>?

  package var transfer = TransferSettings()

  /// Creates the options that have not been set otherwise.
  public init() {}
}
