import CSystemSQLite
import Files
import Foundation
import SQLiteDriver

/// How the file of a store begins, by which its type is known.
package enum StoreFileStart {
  /// Reads the first bytes of a file of any type of store, open or closed.
  ///
  /// SQLite opens, reads and closes the file, because closing a file drops all locks that the process has on it,
  /// including those of SQLite's own connections, unless SQLite closes it: <https://www.sqlite.org/howtocorrupt.html>.
  ///
  /// - Returns: the first bytes, with zeros after the end of a shorter file; empty data if there is no readable
  ///   regular file.
  package static func read(_ path: String, count: Int) -> Data {
    guard FileKind(resolving: path) == .regular else { return Data() }
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let read = file.pointee.pMethods?.pointee.xRead
    else { return Data() }
    var start = Data(count: count)
    let code = start.withUnsafeMutableBytes { read(file, $0.baseAddress, Int32($0.count), 0) }
    return code == SQLITE_OK || code == ResultCode.SQLITE_IOERR_SHORT_READ.rawValue ? start : Data()
  }
}
