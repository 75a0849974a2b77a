import Foundation

@testable import Seeding

/// A seed from a server, or the one in the bundle as long as the server has not answered: a URL with a fallback,
/// without network access.
struct LifeServer: RemoteSeed {
  /// The server's seed; nil while the server does not answer.
  let answer: String?
  let fallback: String
  let address = "life"

  static func source(named name: String, answer: String?, fallback: String) -> SeedSource {
    .remote(LifeServer(answer: answer, fallback: fallback), name: name)
  }

  func fetch(
    after imported: SeedLedger.Entry?,
    isNeeded: Bool,
    cancellation: SeedCancellation
  ) throws -> FetchedSeed {
    guard let answer else {
      let error = SeedError(
        code: .notFetched,
        problem: "the server does not answer",
        remedy: "try again later"
      )
      if imported != nil { return .unavailable(because: error) }
      return .fallback(.data(Data(fallback.utf8), name: "bundled.json"), because: error)
    }
    let file = try TemporaryFile()
    try Data(answer.utf8).write(to: file.url)
    return .file(
      file,
      name: "served.json",
      shownAs: "served.json",
      largestSize: 1 << 20,
      NoFolder(),
      SeedOrigin(address: address, entityTag: nil, lastModified: nil)
    )
  }

  /// A folder for seeds that do not name files.
  private struct NoFolder: RemoteFolder {
    var needsChecksums: Bool { false }

    func fetch(_ paths: [(path: SeedFilePath, hasChecksum: Bool)], largest: Int) throws -> [SeedFilePath:
      Result<TemporaryFile, SeedError>]
    {
      [:]
    }
  }
}
