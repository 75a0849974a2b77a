import Foundation
import Seeding
import Texts

/// The failure of one try to fetch a seed.
struct FetchFailure: Error {
  let code: SeedError.Code
  let problem: String
  let remedy: String

  /// True if a retry may succeed.
  var isTransient = false

  /// The time, in seconds, that the server asks to wait before that.
  var retryAfter: TimeInterval?
  var underlying: (any Error)?

  func error(at place: RemoteLocation, tries: Int) -> SeedError {
    SeedError(
      code: code,
      at: place.position,
      problem: problem + (tries > 1 ? " (tried \(tries) times)" : ""),
      remedy: remedy,
      underlying: underlying
    )
  }
}

// MARK: - Answers

extension FetchFailure {
  /// The failure of an answer whose status is not the one that is wanted.
  init(_ head: ResponseHead) {
    let status = head.status
    code = .notFetched
    problem = "the server answered \(status)" + (head.reason.isEmpty ? "" : " \(head.reason.abbreviated)")
    isTransient = status >= 500 || status == 408 || status == 429
    switch status {
    case 401, 403: remedy = "check what the request is authorised by"
    case 404, 410: remedy = "check the URL"
    case _ where isTransient: remedy = "try again later, or ask who runs the server"
    default: remedy = "check the URL and the server"
    }
    retryAfter = head["retry-after"].flatMap(TimeInterval.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }

  init(contentType: String) {
    code = .wrongContentType
    problem = "the server sends \(contentType.abbreviated), which is not a seed of this format"
    remedy = "check the URL, or have the server send the right type"
  }

  static func tooLarge(_ largest: Int) -> FetchFailure {
    FetchFailure(
      code: .tooLarge,
      problem: "the answer has more than the \(largest) bytes that are allowed",
      remedy: "allow more, or split the seed"
    )
  }

  static func largeHead(_ largest: Int) -> FetchFailure {
    FetchFailure(
      code: .notFetched,
      problem: "the header of the answer has more than \(largest) bytes",
      remedy: "check the URL and the server"
    )
  }

  static func unknownEncoding(_ encoding: String) -> FetchFailure {
    FetchFailure(
      code: .notFetched,
      problem:
        "the server compresses the answer by \(encoding.abbreviated), and gzip and deflate alone are asked for",
      remedy: "have the server send the seed as it is"
    )
  }

  static let brokenEncoding = FetchFailure(
    code: .notFetched,
    problem: "the answer is not compressed as its header says, or breaks off before its end",
    remedy: checkNetwork,
    isTransient: true
  )

  static let endlessRedirects = FetchFailure(
    code: .notFetched,
    problem: "the server leads from one URL to the next without end",
    remedy: "check the URL"
  )

  private static let checkNetwork = "check the network and the server, then try again"
}

// MARK: - Transfers

extension FetchFailure {
  /// - Parameter error: The error that a transfer, or the receiver of its answer, has thrown.
  init(_ error: any Error, timeout: Duration) {
    switch error {
    case let failure as FetchFailure: self = failure
    case let failure as TransferFailure: self = Self.of(failure, timeout: timeout)
    default:
      code = .unreadableFile
      problem = "the seed cannot be kept: \(ErrorWords.describe(error))"
      remedy = "make room in \(FileManager.default.temporaryDirectory.path)"
      underlying = error
    }
  }

  private static func of(_ failure: TransferFailure, timeout: Duration) -> FetchFailure {
    switch failure {
    case .silent: transient("the server kept silent for \(timeout.words)", failure: failure)
    case .notConnected: transient("no connection came about within \(timeout.words)", failure: failure)
    case .late:
      lasting(
        "the seed did not come within the total time that is allowed",
        remedy: "allow more time, or check the network and the server",
        failure: failure
      )
    case .refusedByProxy(let status):
      FetchFailure(
        code: .notFetched,
        problem: "no connection to the server: the proxy answered \(status)",
        remedy: "check the proxy that the environment names (https_proxy), and what it is authorised by",
        isTransient: status >= 500,
        underlying: failure
      )
    case .library(let library): lasting(library.problem, remedy: library.remedy, failure: failure)
    case .curl(let outcome): of(outcome, failure: failure)
    }
  }

  private static func of(_ outcome: CurlFailure, failure: TransferFailure) -> FetchFailure {
    let text = outcome.text
    return switch outcome.kind {
    case .noConnection: transient("no connection to the server: \(text)", failure: failure)
    case .noSecureConnection: transient("no secure connection to the server: \(text)", failure: failure)
    case .lostConnection: transient("the connection to the server was lost: \(text)", failure: failure)
    case .brokenOff: transient("the answer breaks off before its end", failure: failure)
    case .notHTTP: transient("the server's answer is not HTTP: \(text)", failure: failure)
    case .untrustedCertificate:
      lasting(
        "the server's certificate is not trusted: \(text)",
        remedy: "check the URL and the certificate, or name the file of your own authority by CURL_CA_BUNDLE",
        failure: failure
      )
    case .noAuthorities:
      lasting(
        "the certificates of authorities cannot be read: \(text)",
        remedy: "install the package ca-certificates, or name a file with them by CURL_CA_BUNDLE",
        failure: failure
      )
    case .timeout, .other:
      lasting("the request failed: \(outcome)", remedy: "check the URL, the network and the server", failure: failure)
    }
  }

  private static func transient(_ problem: String, failure: TransferFailure) -> FetchFailure {
    FetchFailure(
      code: .notFetched,
      problem: problem,
      remedy: checkNetwork,
      isTransient: true,
      underlying: failure
    )
  }

  private static func lasting(_ problem: String, remedy: String, failure: TransferFailure) -> FetchFailure {
    FetchFailure(code: .notFetched, problem: problem, remedy: remedy, underlying: failure)
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
