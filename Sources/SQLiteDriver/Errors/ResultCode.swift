import CSystemSQLite

/// A result code of SQLite, primary or extended: <https://www.sqlite.org/rescode.html>.
package struct ResultCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The primary code, which is the lowest byte of an extended one.
  package var primaryResultCode: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

  /// The words that SQLite has for the code.
  var words: String? { sqlite3_errstr(rawValue).map { String(cString: $0) } }

  /// A primary code matches all of its extended ones.
  package static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
    pattern == (pattern == pattern.primaryResultCode ? code.primaryResultCode : code)
  }

  package static let SQLITE_OK = ResultCode(rawValue: CSystemSQLite.SQLITE_OK)
  package static let SQLITE_ERROR = ResultCode(rawValue: CSystemSQLite.SQLITE_ERROR)
  package static let SQLITE_INTERNAL = ResultCode(rawValue: CSystemSQLite.SQLITE_INTERNAL)
  package static let SQLITE_PERM = ResultCode(rawValue: CSystemSQLite.SQLITE_PERM)
  package static let SQLITE_ABORT = ResultCode(rawValue: CSystemSQLite.SQLITE_ABORT)
  package static let SQLITE_BUSY = ResultCode(rawValue: CSystemSQLite.SQLITE_BUSY)
  package static let SQLITE_LOCKED = ResultCode(rawValue: CSystemSQLite.SQLITE_LOCKED)
  package static let SQLITE_READONLY = ResultCode(rawValue: CSystemSQLite.SQLITE_READONLY)
  package static let SQLITE_INTERRUPT = ResultCode(rawValue: CSystemSQLite.SQLITE_INTERRUPT)
  package static let SQLITE_IOERR = ResultCode(rawValue: CSystemSQLite.SQLITE_IOERR)
  package static let SQLITE_CORRUPT = ResultCode(rawValue: CSystemSQLite.SQLITE_CORRUPT)
  package static let SQLITE_FULL = ResultCode(rawValue: CSystemSQLite.SQLITE_FULL)
  package static let SQLITE_CANTOPEN = ResultCode(rawValue: CSystemSQLite.SQLITE_CANTOPEN)
  package static let SQLITE_CONSTRAINT = ResultCode(rawValue: CSystemSQLite.SQLITE_CONSTRAINT)
  package static let SQLITE_MISMATCH = ResultCode(rawValue: CSystemSQLite.SQLITE_MISMATCH)
  package static let SQLITE_MISUSE = ResultCode(rawValue: CSystemSQLite.SQLITE_MISUSE)
  package static let SQLITE_AUTH = ResultCode(rawValue: CSystemSQLite.SQLITE_AUTH)
  package static let SQLITE_NOTADB = ResultCode(rawValue: CSystemSQLite.SQLITE_NOTADB)

  // Swift does not import the extended codes, which SQLite's header computes.
  package static let SQLITE_CONSTRAINT_UNIQUE = ResultCode(rawValue: CSystemSQLite.SQLITE_CONSTRAINT | 8 << 8)
  package static let SQLITE_READONLY_ROLLBACK = ResultCode(rawValue: CSystemSQLite.SQLITE_READONLY | 3 << 8)
  package static let SQLITE_IOERR_SHORT_READ = ResultCode(rawValue: CSystemSQLite.SQLITE_IOERR | 2 << 8)
}
