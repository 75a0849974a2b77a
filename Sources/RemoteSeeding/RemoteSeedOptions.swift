/// The options for fetching a remote seed, and for the answers that are taken for it.
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

  /// The number of times that a request is tried again after a failure that may pass: no
  /// connection, silence, an answer that breaks off, the statuses 408, 429 and from 500 on. Other
  /// statuses are final.
  public var retries = 3

  /// The pause before the first of these. Each further one is twice as long, and a random part of
  /// it up to a half is left out, so that many programs do not come back at once. A server that
  /// says how many seconds to wait (`Retry-After`) is waited for as long as it says.
  public var retryDelay: Duration = .seconds(1)

  /// The most bytes that a seed may have, expanded where the server compresses what it sends, and
  /// where the seed is a compressed file. A larger answer is given up as soon as it is known to be
  /// larger. Further limits are those of the source (`SeedLimits`).
  public var largestSize = 256 << 20

  /// Further fields of the request's header, such as `Authorization`. The signature is asked for
  /// with them where it lies on the same server, of the same scheme, host and port. No other server
  /// gets them: where a redirect leads to another one, they are left out from there on.
  public var headers: [String: String] = [:]

  /// The checksum or signature that the seed is held against before it is read. A seed that comes
  /// over `http` from another machine has to have one.
  public var verification: SeedVerification?

  /// True if a verified seed may load values by `$file` from files whose SHA-256 is not given next
  /// to the path, under `$sha256`. If false, such files are refused, because the seed's checksum or
  /// signature does not cover them.
  public var allowsUnverifiedFiles = false

  /// The content types that are taken, in lower case and without parameters; nil for those of the
  /// seed's format and those that servers give to files of no known type. An answer without a
  /// content type is taken.
  public var contentTypes: Set<String>?

  package var transfer = TransferSettings()

  /// Creates the options that have not been set otherwise.
  public init() {}
}
