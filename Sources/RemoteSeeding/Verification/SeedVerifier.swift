import Digests
import Foundation
import Seeding

/// Holds a seed that was fetched against its checksum or signature.
struct SeedVerifier {
  private enum Check {
    case nothing
    case checksum(String)
    case signature(SignatureSource, Ed25519PublicKey)
  }

  private enum SignatureSource {
    case known(Data)
    case remote(RemoteLocation)
  }

  /// The largest signature, in digits and with line breaks.
  static let largestSignature = 1024

  private let place: RemoteLocation
  private let check: Check

  /// Makes a verifier of a seed.
  ///
  /// - Throws: A `SeedError` if the given value cannot be a checksum or key, or if signatures
  ///   cannot be verified on this machine.
  init(verification: SeedVerification?, of place: RemoteLocation, settings: TransferSettings) throws {
    self.place = place
    switch verification?.kind {
    case nil: check = .nothing
    case .checksum(let digits):
      guard HexadecimalText.bytes(digits)?.count == 32 else {
        throw Self.failure(
          place,
          problem: "the checksum is not 64 hexadecimal digits",
          remedy: "give what sha256sum prints"
        )
      }
      check = .checksum(digits)
    case .signature(let signature, let key):
      check = .signature(.known(signature), try Self.key(key, place: place, settings: settings))
    case .signatureFile(let url, let key):
      guard let source = url.map({ RemoteLocation($0) }) ?? place.appending(".sig") else {
        throw Self.failure(
          place,
          problem: "no URL of a signature can be made of this one",
          remedy: "give the signature's URL"
        )
      }
      check = .signature(.remote(source), try Self.key(key, place: place, settings: settings))
    }
  }

  /// The checksum that the seed has to have, if that is known.
  var checksum: String? {
    if case .checksum(let digits) = check { digits } else { nil }
  }

  /// Checks that the file is the expected seed.
  ///
  /// - Parameter fields: Further fields of the seed's request, which the signature's gets where it
  ///   goes to the same server.
  /// - Throws: A `SeedError` when it is not.
  func verify(_ file: URL, content: SeedContent, client: SeedClient, _ fields: [(String, String)]) throws {
    try verify(file, hash: content.hash) { source in
      try Self.fetch(source, client: client, source.hasOrigin(of: place) ? fields : [])
    }
  }

  /// Checks that the file is the expected seed.
  ///
  /// - Parameters:
  ///   - hash: the file's SHA-256, in hexadecimal.
  ///   - fetch: gives the bytes of the signature's location.
  /// - Throws: A `SeedError` when it is not.
  func verify(_ file: URL, hash: String, fetching fetch: (RemoteLocation) throws -> Data) throws {
    switch check {
    case .nothing: return
    case .checksum(let digits):
      guard hash == digits else {
        throw Self.failure(
          place,
          problem: "the seed's SHA-256 is \(hash), and \(digits) was expected",
          remedy: "check who changed the seed, or give the new checksum"
        )
      }
    case .signature(let source, let key):
      let data = try Data(contentsOf: file, options: .alwaysMapped)
      guard key.hasSigned(data, with: try signature(source, fetch)) else {
        throw Self.failure(
          place,
          problem: "the seed is not the one that was signed, or not signed with this key",
          remedy: "check who changed the seed, or sign it anew"
        )
      }
    }
  }

  private func signature(_ source: SignatureSource, _ fetch: (RemoteLocation) throws -> Data) throws -> Data {
    switch source {
    case .known(let signature): return signature
    case .remote(let place):
      guard let signature = Self.signature(try fetch(place)) else {
        throw Self.failure(
          place,
          problem: "this is not an Ed25519 signature",
          remedy: "give 64 bytes, as they are, in Base64 or in hexadecimal digits"
        )
      }
      return signature
    }
  }

  /// The bytes of a signature that a server has.
  static func fetch(_ place: RemoteLocation, client: SeedClient, _ fields: [(String, String)]) throws -> Data {
    let file = try TemporaryFile()
    var request = SeedRequest(place: place, largestSize: largestSignature)
    // A false signature does not fit any seed, whatever its origin.
    request.isVerified = true
    request.fields = fields
    _ = try client.get(request, into: file.url)
    return try Data(contentsOf: file.url)
  }

  private static func signature(_ bytes: Data) -> Data? {
    let size = Ed25519PublicKey.signatureSize
    if bytes.count == size { return bytes }
    return SpelledBytes(String(decoding: bytes, as: UTF8.self), count: size)?.bytes
  }

  private static func key(
    _ bytes: Data,
    place: RemoteLocation,
    settings: TransferSettings
  ) throws(SeedError) -> Ed25519PublicKey {
    do throws(LibraryFailure) {
      if let key = try Ed25519PublicKey(bytes: bytes, settings: settings) { return key }
    } catch {
      throw failure(place, problem: error.problem, remedy: error.remedy)
    }
    throw failure(place, problem: "the public key is not an Ed25519 key", remedy: "give the key's 32 bytes")
  }

  private static func failure(_ place: RemoteLocation, problem: String, remedy: String) -> SeedError {
    SeedError(code: .notVerified, at: place.position, problem: problem, remedy: remedy)
  }
}
