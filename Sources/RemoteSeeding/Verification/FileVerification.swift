public import Foundation
public import Seeding

/// Holds seed files on this machine against a checksum or a signature.
struct FileVerification: SeedCheck {
  let verification: SeedVerification

  func check(
    _ copy: URL,
    hash: String,
    of file: URL,
    shownAs place: String,
    _ cancellation: SeedCancellation
  ) throws {
    let verifier = try SeedVerifier(verification, of: RemotePlace(file, shownAs: place), TransferSettings())
    try verifier.verify(copy, hash: hash) { try Self.signature($0, cancellation) }
  }

  /// The bytes that lie where a signature is to be: beside the seed, in another file or on a
  /// server.
  private static func signature(_ place: RemotePlace, _ cancellation: SeedCancellation) throws -> Data {
    if place.url.isFileURL {
      return try SmallFile.bytes(of: place.url, shownAs: place.text, atMost: SeedVerifier.largestSignature)
    }
    let client = SeedClient(RemoteSeedOptions(), cancellation)
    defer { client.close() }
    return try SeedVerifier.fetch(place, client, [])
  }
}

extension SeedSource {
  /// A seed file, or a folder of them, that is held against a checksum or a signature before it is
  /// read.
  ///
  /// ```swift
  /// let key = try Data(contentsOf: folder.appendingPathComponent("seeds.pub"))
  /// let source = SeedSource.file(url, verification: .ed25519(publicKey: key))
  /// try await Seeder(source).run(in: container)
  /// ```
  ///
  /// A detached signature is looked for beside each file, under its name with `.sig` behind it,
  /// unless it is given. A run throws a `SeedError` of the code `notVerified` where a file is not
  /// the one that was meant. Values cannot be taken from other files (`$file`), which would not be
  /// covered.
  public static func file(
    _ url: URL,
    verification: SeedVerification,
    variant: SeedVariant = SeedVariant()
  ) -> SeedSource {
    var source = SeedSource.file(url, variant: variant)
    source.check = FileVerification(verification: verification)
    return source
  }
}
