import Foundation
import GRDB

/// Copies a store as one file, with what is still in its write-ahead log, and the files of its large data.
struct SQLiteStoreBackup {
  let file: URL

  /// - Throws: an error that names the file that could not be made.
  func copy(to copy: URL) throws {
    let (support, copiedSupport) = (
      ExternalDataFolder(store: file).support, ExternalDataFolder(store: copy).support
    )
    for place in [copy, copiedSupport] where FileManager.default.fileExists(atPath: place.path) {
      throw StoreFailure.error(
        CocoaError.fileWriteFileExists.rawValue,
        "\(place.path) is there already; move it away, so that the copy of \(file.path) can be made.",
        file: place
      )
    }
    do {
      var configuration = Configuration()
      configuration.readonly = true
      let source = try DatabaseQueue(path: file.path, configuration: configuration)
      let target = try DatabaseQueue(path: copy.path)
      try source.backup(to: target)
      try source.close()
      try target.close()
    } catch {
      throw SQLiteFailure.error(error, file: copy, doing: "The store could not be copied")
    }
    if FileManager.default.fileExists(atPath: support.path) {
      try FileManager.default.copyItem(at: support, to: copiedSupport)
    }
  }
}
