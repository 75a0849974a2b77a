import CSystemSQLite
import Deflate
import Foundation

/// A library of the system that stores are read and written with, in the version that this process has loaded.
package struct LinkedLibrary: Sendable, Equatable {
  package let name: String
  /// The version as the library says it.
  package let version: String
  /// The requirements of stores that the library does not meet, each with a remedy; empty for a sufficient library.
  package let problems: [String]

  package init(name: String, version: String, problems: [String]) {
    self.name = name
    self.version = version
    self.problems = problems
  }

  /// SQLite and zlib, and the libraries of stores that need one of their own.
  package static var all: [LinkedLibrary] {
    let ofStores = StoreTypes.all.values.compactMap { ($0 as? any LibraryStore.Type)?.library }
    return [sqlite, LinkedLibrary(name: "zlib", version: Deflate.libraryVersion, problems: [])]
      + ofStores.sorted { $0.name < $1.name }
  }

  private static var sqlite: LinkedLibrary {
    LinkedLibrary(
      name: "SQLite",
      version: String(cString: sqlite3_libversion()),
      problems: SQLiteAbilities(
        version: Int(sqlite3_libversion_number()),
        isThreadSafe: sqlite3_threadsafe() != 0,
        hasJSON: hasJSON
      )
      .problems
    )
  }

  /// JSON was an option of the build before SQLite 3.38, and can be left out since.
  private static var hasJSON: Bool {
    sqlite3_libversion_number() >= 3_038_000
      ? sqlite3_compileoption_used("OMIT_JSON") == 0 : sqlite3_compileoption_used("ENABLE_JSON1") != 0
  }
}

/// The properties of a build of SQLite that stores depend on.
struct SQLiteAbilities {
  /// The number of the version: 3035000 for 3.35.0.
  let version: Int
  let isThreadSafe: Bool
  let hasJSON: Bool

  /// SQLite 3.35, the first with `RETURNING`.
  static let leastVersion = 3_035_000

  /// The requirements that the library does not meet, each with a remedy.
  var problems: [String] {
    var problems: [String] = []
    if version < Self.leastVersion {
      problems.append("it is older than SQLite 3.35, which stores need; install a newer libsqlite3")
    }
    if !isThreadSafe {
      problems.append(
        "it was compiled with SQLITE_THREADSAFE=0, and contexts use several threads; install another build"
      )
    }
    if !hasJSON {
      problems.append("it was compiled without JSON, which long lists in predicates need; install another build")
    }
    return problems
  }
}
