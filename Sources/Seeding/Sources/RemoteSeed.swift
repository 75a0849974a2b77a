package import Foundation

/// A seed at another location that is fetched before it is read.
package protocol RemoteSeed: Sendable {
  /// An identifier of the location that reveals nothing about it: a store that is shipped has it in its metadata.
  var address: String { get }

  /// Fetches the seed.
  /// - Parameters:
  ///   - imported: The entry of the last import of the seed from this location, if there is one.
  ///   - isNeeded: True when the seed is to be read even if it is the one that the store took in.
  ///   - cancellation: Ends the wait for the server.
  /// - Throws: `SeedError` if the seed cannot be fetched and has no replacement, or if the run was cancelled.
  func fetch(after imported: SeedLedger.Entry?, isNeeded: Bool, cancellation: SeedCancellation) throws -> FetchedSeed
}

/// The outcome of fetching a seed.
package enum FetchedSeed {
  /// The seed is the one that the store imported last.
  case unchanged

  /// A file with the seed. Its name gives the format, `shownAs` is the name in errors, and
  /// `largestSize` is the limit of its expanded size. The files that it names are in the folder.
  case file(
    TemporaryFile,
    name: String,
    shownAs: String,
    largestSize: Int,
    any RemoteFolder,
    SeedOrigin
  )

  /// The seed cannot be fetched, and another one is read instead.
  case fallback(SeedSource, because: SeedError)

  /// The seed cannot be fetched, and the store keeps what it has imported before.
  case unavailable(because: SeedError)
}

/// The place that a seed came from, and the marks by which its server knows that version of it.
package struct SeedOrigin: Hashable, Sendable {
  package let address: String
  package let entityTag: String?
  package let lastModified: String?

  package init(address: String, entityTag: String?, lastModified: String?) {
    self.address = address
    self.entityTag = entityTag
    self.lastModified = lastModified
  }
}

/// A file that is removed when the last reference to this object is released.
package final class TemporaryFile: Sendable {
  package let url: URL

  /// Makes an empty file.
  ///
  /// - Throws: A `CocoaError` of the code `fileWriteUnknown` that has the path, when the file cannot be made.
  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("seed-\(UUID().uuidString)")
    // No other user may change the file between its verification and the reading.
    let isCreated = FileManager.default.createFile(
      atPath: url.path,
      contents: nil,
      attributes: [.posixPermissions: 0o600]
    )
    guard isCreated else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path]) }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
