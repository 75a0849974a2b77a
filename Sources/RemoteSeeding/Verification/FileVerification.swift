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
    cancellation: SeedCancellation
  ) throws {
    let verifier = try SeedVerifier(
      verification: verification,
      of: RemoteLocation(file, shownAs: place),
      settings: TransferSettings()
    )
    try verifier.verify(copy, hash: hash) { try Self.signature($0, cancellation: cancellation) }
  }

  /// Reads the signature's bytes from a file, usually next to the seed, or from a server.
  private static func signature(_ place: RemoteLocation, cancellation: SeedCancellation) throws -> Data {
    if place.url.isFileURL {
      return try SmallFile.bytes(of: place.url, shownAs: place.text, atMost: SeedVerifier.largestSignature)
    }
    let client = SeedClient(options: RemoteSeedOptions(), cancellation: cancellation)
    defer { client.close() }
    return try SeedVerifier.fetch(place, client: client, [])
  }
}

extension SeedSource {
  /// A seed file, or a folder of them, that is verified by a checksum or a signature before it is read.
  ///
  /// ```swift
  /// let key = try Data(contentsOf: folder.appendingPathComponent("seeds.pub"))
  /// let source = SeedSource.file(url, verification: .ed25519(publicKey: key))
  /// try await Seeder(source).run(in: container)
  /// ```
  ///
  /// Unless a signature is given, a detached signature is looked for next to each file, under the file's name followed
  /// by `.sig`. A run throws a `SeedError` with the code `notVerified` if the verification of a file fails. Values
  /// cannot be loaded from other files (`$file`), because the verification would not cover them.
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
