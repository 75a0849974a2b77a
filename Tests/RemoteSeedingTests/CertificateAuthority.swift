import Foundation
import TestSupport
import Testing

/// A certificate authority for TLS in its own folder, made by the program `openssl`.
final class CertificateAuthority {
  /// A fault of a certificate.
  enum Fault {
    case none
    case expired
    case otherHost
  }

  static let isAvailable = Tool.path("openssl") != nil && Tool.path("python3") != nil

  private let folder: TestFolder

  /// The file of the authority's own certificate.
  var file: URL { folder.url.appendingPathComponent("authority.pem") }

  init() throws {
    folder = try TestFolder()
    try folder.write(
      "authority.cnf",
      """
      [ca]
      default_ca = authority
      [authority]
      certificate = authority.pem
      private_key = authority.key
      database = issued.txt
      new_certs_dir = .
      rand_serial = yes
      default_md = sha256
      policy = names
      [names]
      commonName = supplied
      [req]
      distinguished_name = name
      prompt = no
      [name]
      commonName = Perennial test
      [root]
      basicConstraints = critical, CA:TRUE
      keyUsage = critical, keyCertSign
      subjectKeyIdentifier = hash
      [host]
      subjectAltName = IP:127.0.0.1, DNS:localhost
      [otherHost]
      subjectAltName = DNS:seeds.example
      """
    )
    try folder.write("issued.txt", "")
    try openssl(
      ["req", "-x509", "-extensions", "root", "-days", "30", "-out", "authority.pem"] + newKey("authority")
    )
  }

  /// Makes a certificate for this machine.
  ///
  /// - Returns: The name of its files, without `.pem` and `.key`.
  func issue(_ fault: Fault) throws -> String {
    let name = "\(fault)"
    try openssl(["req", "-new", "-out", "\(name).csr"] + newKey(name))
    let dates: [String]
    switch fault {
    case .expired: dates = ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"]
    case .none, .otherHost: dates = ["-days", "30"]
    }
    try openssl(
      ["ca", "-batch", "-config", "authority.cnf", "-notext", "-in", "\(name).csr", "-out", "\(name).pem"]
        + ["-extensions", fault == .otherHost ? "otherHost" : "host"] + dates
    )
    return folder.url.appendingPathComponent(name).path
  }

  /// A folder with the authority's certificate under the hashed name by which OpenSSL finds it.
  func hashedFolder() throws -> URL {
    try openssl(["rehash", "."])
    return folder.url
  }

  private func newKey(_ name: String) -> [String] {
    [
      "-config", "authority.cnf", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", "\(name).key",
    ]
  }

  private func openssl(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Tool.path("openssl")))
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    let errors = try folder.write("errors.txt", "")
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let words = try String(contentsOf: errors, encoding: .utf8)
    try #require(process.terminationStatus == 0, "\(words)")
  }
}

/// A program that is installed on this machine.
enum Tool {
  /// The path of a program; `nil` if there is no program of that name.
  static func path(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
