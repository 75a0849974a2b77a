import ArgumentParser
import Foundation
import RemoteSeeding
import Seeding

/// The options for fetching seeds from a URL and for verifying them.
struct RemoteOptions: ParsableArguments {
  @Option(help: "The seed's SHA-256, in hexadecimal digits.") var checksum: String?

  @Option(help: "The URL or file of the seed's Ed25519 signature; without it, the seed's URL with .sig appended.")
  var signature: String?

  @Option(help: "The Ed25519 key that the seed is signed with: 32 bytes in Base64 or hexadecimal digits, or a file.")
  var publicKey: String?

  @Flag(help: "Take files that a verified seed names, though it has no checksums of them.")
  var unverifiedFiles = false

  @Option(help: "The seconds that a server may keep silent.") var timeout: Double = 30
  @Option(help: "How often a failed request is tried again.") var retries = 3

  @Option(
    name: .customLong("header"),
    help: ArgumentHelp(
      "A field for the header of requests to the URL's server, and to no other.",
      valueName: "Name: value"
    )
  )
  var headers: [String] = []

  @Option(help: "The seed file to take when the URL's seed cannot be had.", completion: .seedFiles)
  var fallback: String?

  /// True when the user gave an option that applies to a single seed only.
  var isForOneSeed: Bool { checksum != nil || signature != nil }

  /// True when seeds are verified.
  var isVerified: Bool { checksum != nil || publicKey != nil }

  /// The argument as a URL; nil for a path.
  static func url(_ argument: String) -> URL? {
    guard let url = URL(string: argument), ["http", "https"].contains(url.scheme?.lowercased()) else { return nil }
    return url
  }

  func validate() throws {
    if signature != nil, publicKey == nil { throw ValidationError("--signature needs the --public-key.") }
    if checksum != nil, publicKey != nil { throw ValidationError("Give a checksum or a public key.") }
    guard timeout > 0, timeout <= Self.longestTimeout else {
      throw ValidationError("--timeout has to be more than 0 and at most \(Int(Self.longestTimeout)) seconds.")
    }
    guard retries >= 0 else { throw ValidationError("--retries has to be 0 or more.") }
    for header in headers where Self.header(header) == nil {
      throw ValidationError("--header \(header): give a name and a value, such as \"Accept-Language: nl\".")
    }
  }

  /// The longest timeout, in seconds: a day.
  private static let longestTimeout: Double = 86_400

  /// - Parameter largestSize: The largest size of the seed in bytes; nil for the usual limit.
  func options(largestSize: Int?) throws -> RemoteSeedOptions {
    var options = RemoteSeedOptions()
    options.timeout = .milliseconds(max(1, Int64((timeout * 1000).rounded())))
    options.retries = retries
    options.largestSize = largestSize ?? options.largestSize
    options.headers = Dictionary(headers.compactMap(Self.header)) { $1 }
    options.verification = try verification()
    options.allowsUnverifiedFiles = unverifiedFiles
    return options
  }

  func verification() throws -> SeedVerification? {
    if let checksum { return .sha256(checksum) }
    guard let publicKey else { return nil }
    let key = try Self.bytes(publicKey, count: 32, noun: "public key")
    guard let signature else { return .ed25519(publicKey: key) }
    if let url = Self.url(signature) { return .ed25519(signatureAt: url, publicKey: key) }
    return .ed25519(signature: try Self.bytes(signature, count: 64, noun: "signature"), publicKey: key)
  }

  /// The bytes that an argument encodes, or the content of the file that it names, as bytes or encoded.
  private static func bytes(_ argument: String, count: Int, noun: String) throws -> Data {
    if let bytes = SpelledBytes(argument, count: count)?.bytes { return bytes }
    guard let data = FileManager.default.contents(atPath: argument) else {
      throw CommandFailure(
        file: argument,
        problem: "this is neither a \(noun) nor a file",
        remedy: "give \(count) bytes in Base64, or a file"
      )
    }
    if data.count == count { return data }
    guard let bytes = SpelledBytes(String(decoding: data, as: UTF8.self), count: count)?.bytes else {
      throw CommandFailure(
        file: argument,
        problem: "this file has no \(noun)",
        remedy: "give \(count) bytes, or these in Base64"
      )
    }
    return bytes
  }

  private static func header(_ text: String) -> (String, String)? {
    let parts = text.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    return parts.count == 2 && !parts[0].isEmpty ? (parts[0], parts[1]) : nil
  }
}
