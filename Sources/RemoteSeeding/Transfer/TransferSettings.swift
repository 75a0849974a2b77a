import Foundation

/// The settings of a transfer that belong to the machine. Only tests change them.
package struct TransferSettings: Sendable {
  /// The names of libcurl's file; `nil` for the usual ones.
  package var curlFiles: [String]?

  /// The names of libcrypto's file; `nil` for the usual ones.
  package var cryptoFiles: [String]?

  /// The authorities whose certificates are trusted.
  package var authorities = CertificateAuthorities.environment

  package init() {}
}

/// The places of the certificates of authorities that a server's certificate is checked with.
///
/// libcurl's own default is the place that its distribution was built with. libcurl does not read
/// these variables (https://curl.se/docs/sslcerts.html); its command does, in the same order.
package struct CertificateAuthorities: Sendable {
  /// A file with certificates in PEM; `nil` for libcurl's default.
  package var file: String?

  /// A folder with a file for each certificate, named after its hash; `nil` for libcurl's default.
  package var folder: String?

  package init(file: String? = nil, folder: String? = nil) {
    self.file = file
    self.folder = folder
  }

  /// - Parameter variables: The variables of an environment.
  package init(_ variables: [String: String]) {
    func path(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let bundle = path("CURL_CA_BUNDLE") {
      file = bundle
    } else {
      file = path("SSL_CERT_FILE")
      folder = path("SSL_CERT_DIR")
    }
  }

  /// The places that `CURL_CA_BUNDLE`, `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
  package static var environment: CertificateAuthorities { CertificateAuthorities(ProcessInfo.processInfo.environment) }
}
