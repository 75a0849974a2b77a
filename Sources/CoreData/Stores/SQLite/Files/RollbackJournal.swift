import Files
import Foundation

/// The journal that SQLite keeps next to a database in other modes than WAL: <https://www.sqlite.org/lockingv3.html>.
package enum RollbackJournal {
  /// True when the journal of a database takes back a transaction that is half-written, or cannot be looked at.
  ///
  /// SQLite leaves the journal after a commit with `journal_mode = PERSIST`, and writes zeros over its beginning; with
  /// `TRUNCATE` it leaves an empty one: <https://www.sqlite.org/pragma.html#pragma_journal_mode>.
  ///
  /// The journal may be opened and closed, unlike the database: SQLite has its locks on the database and on the `-shm`
  /// file, and closing a file takes away the locks of the process on that file alone.
  ///
  /// - Parameter path: the path of the database, at the end of all symbolic links.
  package static func isHot(nextTo path: String) -> Bool {
    let journal = path + "-journal"
    switch FileKind(resolving: journal) {
    case .nothing: return false
    case .regular: break
    default: return true
    }
    do {
      guard let first = try Descriptor(path: journal, flags: O_RDONLY | O_NONBLOCK).read(upTo: 1).first else {
        return false
      }
      return first != 0
    } catch {
      // It may have been removed meanwhile, by the commit that it was for.
      return (error as? FileFailure)?.code != ENOENT
    }
  }
}
