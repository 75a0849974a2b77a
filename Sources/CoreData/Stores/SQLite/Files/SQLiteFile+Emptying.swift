import Files
import Foundation
import GRDB

extension SQLiteFile {
  /// Takes everything out of the store, and leaves an empty database in its place: a file cannot be
  /// removed safely from under others that have it open, so that Apple's framework shortens it. It
  /// is made where there is none. What is no database is removed.
  ///
  /// - Parameter timeout: the time to wait for others that use the database, in seconds.
  func empty(timeout: TimeInterval) throws {
    if SQLiteMemory.isMeant(by: url) { return }
    // Where there is no folder there is nothing to destroy.
    if FileKind(behind: FilePlacing.folder(of: url.path)) == .nothing { return }
    try StoreFile(url).checkPlace(mustExist: false, isWritten: true)
    do {
      try emptyDatabase(timeout: timeout)
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
    {
      return try remove()
    } catch {
      throw SQLiteFailure.error(error, file: url, doing: "The store could not be destroyed")
    }
    ExternalDataFolder(store: url).removeAll()
  }

  private func emptyDatabase(timeout: TimeInterval) throws {
    var configuration = Configuration.observed
    configuration.busyMode = .timeout(timeout)
    let database = try DatabaseQueue(path: url.path, configuration: configuration)
    let nothing = try DatabaseQueue(configuration: .observed)
    try nothing.writeWithoutTransaction { try $0.execute(sql: "PRAGMA auto_vacuum = 2; VACUUM") }
    try nothing.backup(to: database)
    try database.close()
  }
}
