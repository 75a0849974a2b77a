import Files
import Foundation

/// A file that is written as a whole has all of a save at any time; reading it once gives the state of one moment.
extension AtomicFileStore: BackupStore {
  func backUp(to place: BackupDestination) throws -> StoreBackup {
    try Self.backUp(url ?? StoreFile.nowhere, options: options, to: place)
  }

  static func backUp(_ url: URL, options: [AnyHashable: Any]?, to place: BackupDestination) throws -> StoreBackup {
    let date = Date()
    guard let data = try contents(of: url) else { throw StoreFile(url).nothingToRead() }
    let identifier = try format.metadata(in: data, file: url).uuid
    let isReplacing = try place.holdsBackup(of: url, identifier: identifier) { try readMetadata(at: $0).uuid }
    place.begin(Int64(data.count))
    try place.report(0)
    if isReplacing {
      try limitPermissions(of: place.url, to: url)
      try write(data, to: place.url)
    } else {
      let temporary = StoreFile(place.url).temporaryPlace
      defer { _ = try? FilePlacing.removeFile(temporary.path) }
      StoreFile(temporary).make(withPermissionsOf: url)
      try write(data, to: temporary)
      try StoreFile(place.url).put(temporary)
    }
    place.end()
    return StoreBackup(
      url: place.url,
      identifier: identifier,
      date: date,
      byteCount: Int64(data.count),
      externalFileCount: 0
    )
  }

  /// Removes permissions on the backup's file from users who may not read the store. The backup replaces that file.
  private static func limitPermissions(of backup: URL, to url: URL) throws {
    do {
      try FilePermissions(resolving: url.path)?.limit(fileAt: backup.path)
    } catch let failure as FileFailure {
      throw StoreFailure.error(
        failure.cocoaCode(),
        message:
          "The permissions of the backup \(backup.path) cannot be limited to those of the store: \(failure.description).",
        file: backup
      )
    }
  }
}
