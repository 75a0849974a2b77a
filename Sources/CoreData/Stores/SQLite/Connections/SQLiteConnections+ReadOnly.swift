import Files
import Foundation
import SQLiteDriver

extension SQLiteConnections {
  /// A store in a folder that cannot be written has no place for the files that readers share in
  /// WAL mode; it can be read when nobody writes, which is what `immutable` promises SQLite.
  ///
  /// - Returns: the connection, and the path for further ones.
  static func openReadOnly(
    _ path: String,
    _ configuration: SQLiteConfiguration
  ) throws -> (SQLiteConnection, String) {
    do {
      return (try SQLiteConnection(path: path, configuration: configuration), path)
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
    {
      let folder = FilePlacing.folder(of: path)
      let log = (try? FileManager.default.attributesOfItem(atPath: path + "-wal"))?[.size] as? Int ?? 0
      guard log == 0, FileManager.default.isReadableFile(atPath: path),
        !FileManager.default.isWritableFile(atPath: folder),
        let address = URLComponents(string: URL(fileURLWithPath: path).absoluteString)?.percentEncodedPath
      else { throw error }
      let immutable = "file:\(address)?immutable=1"
      return (try SQLiteConnection(path: immutable, configuration: configuration), immutable)
    }
  }
}
