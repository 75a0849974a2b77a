import CLoadedLibraries
import Texts

/// The reason why a transfer has ended without an answer.
enum TransferFailure: Error {
  /// libcurl cannot be loaded.
  case library(LibraryFailure)

  /// The connection did not come about in time: the lookup of the name, the connection itself, a
  /// proxy's, or the handshake of TLS took too long.
  case notConnected

  /// The server was silent for too long.
  case silent

  /// The total time is over.
  case late

  /// A proxy refused to connect to the server, with an HTTP status.
  case refusedByProxy(status: Int)

  /// libcurl has ended the transfer.
  case curl(CurlFailure)
}

/// An outcome of libcurl's: https://curl.se/libcurl/c/libcurl-errors.html.
struct CurlFailure: Error, Sendable, CustomStringConvertible {
  /// The kinds of outcomes that messages distinguish.
  enum Kind {
    /// The name of the server or of a proxy does not have an address, or the connection to the address failed.
    case noConnection
    /// The TLS handshake failed for a reason other than the certificate.
    case noSecureConnection
    /// The server's certificate is not trusted, has expired, or belongs to another host.
    case untrustedCertificate
    /// The certificates of authorities cannot be read.
    case noAuthorities
    /// The answer is shorter than its header or its chunks declare.
    case brokenOff
    /// The connection was lost.
    case lostConnection
    /// The server does not speak HTTP.
    case notHTTP
    /// The connection was not established in time.
    case timeout
    /// Anything else, such as a lack of memory.
    case other
  }

  let code: Int32

  /// libcurl's description: shortened, on one line, with control characters escaped.
  let text: String

  /// - Parameter text: libcurl's description, with parts of the URL and of the server's answer.
  init(code: Int32, text: String) {
    self.code = code
    self.text = VisibleText(line: text, atMost: 200).description
  }

  var description: String { "\(text) (libcurl's code \(code))" }

  var kind: Kind {
    switch perennial_curl_code(rawValue: perennial_curl_code.RawValue(code)) {
    case PERENNIAL_CURL_COULDNT_RESOLVE_HOST, PERENNIAL_CURL_COULDNT_RESOLVE_PROXY,
      PERENNIAL_CURL_COULDNT_CONNECT,
      PERENNIAL_CURL_PROXY_FAILED:
      .noConnection
    case PERENNIAL_CURL_SSL_CONNECT_ERROR: .noSecureConnection
    case PERENNIAL_CURL_PEER_FAILED_VERIFICATION, PERENNIAL_CURL_PEER_FAILED_VERIFICATION_BEFORE_7_62,
      PERENNIAL_CURL_SSL_ISSUER_ERROR, PERENNIAL_CURL_SSL_INVALIDCERTSTATUS:
      .untrustedCertificate
    case PERENNIAL_CURL_SSL_CACERT_BADFILE: .noAuthorities
    case PERENNIAL_CURL_PARTIAL_FILE: .brokenOff
    case PERENNIAL_CURL_GOT_NOTHING, PERENNIAL_CURL_SEND_ERROR, PERENNIAL_CURL_RECV_ERROR,
      PERENNIAL_CURL_HTTP2,
      PERENNIAL_CURL_HTTP2_STREAM:
      .lostConnection
    // Before the first line of an answer, libcurl calls anything but HTTP a protocol that it does not support.
    case PERENNIAL_CURL_UNSUPPORTED_PROTOCOL, PERENNIAL_CURL_WEIRD_SERVER_REPLY: .notHTTP
    case PERENNIAL_CURL_OPERATION_TIMEDOUT: .timeout
    default: .other
    }
  }
}
