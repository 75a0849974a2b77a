import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import Seeding
import Texts

/// The failure of one try to fetch a seed.
struct FetchFailure: Error {
  let code: SeedError.Code
  let problem: String
  let remedy: String

  /// True when another try may succeed.
  var isTransient = false

  /// The time, in seconds, that the server asks to wait before that.
  var retryAfter: TimeInterval?
  var underlying: (any Error)?

  func error(at place: RemotePlace, tries: Int) -> SeedError {
    SeedError(
      code,
      at: place.position,
      problem + (tries > 1 ? " (tried \(tries) times)" : ""),
      remedy: remedy,
      underlying: underlying
    )
  }
}

extension FetchFailure {
  init(status: HTTPResponseStatus, retryAfter: String?) {
    code = .notFetched
    problem = "the server answered \(status.code) \(status.reasonPhrase.abbreviated)"
    isTransient = status.code >= 500 || status == .requestTimeout || status == .tooManyRequests
    switch status.code {
    case 401, 403: remedy = "check what the request is authorised by"
    case 404, 410: remedy = "check the URL"
    case _ where isTransient: remedy = "try again later, or ask who runs the server"
    default: remedy = "check the URL and the server"
    }
    self.retryAfter = retryAfter.flatMap(TimeInterval.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }

  init(contentType: String) {
    code = .wrongContentType
    problem = "the server sends \(contentType.abbreviated), which is no seed of this format"
    remedy = "check the URL, or have the server send the right type"
  }

  static func tooLarge(_ largest: Int) -> FetchFailure {
    FetchFailure(
      code: .tooLarge,
      problem: "the answer has more than the \(largest) bytes that are allowed",
      remedy: "allow more, or split the seed"
    )
  }

  /// Makes a failure of an error that the HTTP client threw.
  init(_ error: any Error, timeout: Duration, largestSize: Int) {
    if let failure = error as? FetchFailure {
      self = failure
      return
    }
    if error as? NIOHTTPDecompression.DecompressionError == .limit {
      self = .tooLarge(largestSize)
      return
    }
    underlying = error
    code = .notFetched
    switch error as? HTTPClientError {
    case .readTimeout?:
      problem = "the server kept silent for \(timeout.words)"
    case .connectTimeout?, .tlsHandshakeTimeout?, .getConnectionFromPoolTimeout?:
      problem = "no connection came about within \(timeout.words)"
    case .deadlineExceeded?:
      problem = "the seed did not come within the total time that is allowed"
      remedy = "allow more time, or check the network and the server"
      return
    case .remoteConnectionClosed?, .uncleanShutdown?:
      problem = "the answer breaks off before its end"
    case nil where error is HTTPParserError:
      problem = "the answer breaks off before its end"
    case nil where error is NIOConnectionError || error is IOError:
      problem = "no connection to the server: \(Self.words(error))"
    default:
      problem = "the request failed: \(Self.words(error))"
    }
    remedy = "check the network and the server, then try again"
    isTransient = true
  }

  private static func words(_ error: any Error) -> String {
    // The first attempt says as much as those for the host's other addresses.
    if let error = error as? NIOConnectionError, let first = error.connectionErrors.first {
      return words(first.error)
    }
    return String(describing: error)
  }
}

extension Duration {
  /// English in every locale, as all of an error is.
  fileprivate var words: String {
    let milliseconds = components.attoseconds / 1_000_000_000_000_000
    if milliseconds == 0 { return "\(components.seconds) s" }
    return components.seconds == 0
      ? "\(milliseconds) ms" : "\(components.seconds).\(Self.digits(milliseconds)) s"
  }

  private static func digits(_ milliseconds: Int64) -> String {
    String(String(1000 + milliseconds.magnitude).dropFirst())
  }
}
