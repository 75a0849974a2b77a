public import Foundation

/// A backup of a store that was written into a file.
///
/// It is the same store as it was at ``date``: it has its identity, its metadata and its history,
/// and its objects have the same IDs.
public struct StoreBackup: Sendable {
  /// The file of the backup. The external files of a SQLite store are in the folder `.Name_SUPPORT`
  /// next to it, and belong to the backup.
  public let url: URL

  /// The identity of the store, which the backup shares.
  public let identifier: String

  /// The moment of the backup: the backup has everything that was saved before it, and nothing that was saved after it.
  public let date: Date

  /// The size of the file and of the files of large values together, in bytes.
  public let byteCount: Int64

  /// The number of files of large values.
  public let externalFileCount: Int
}
