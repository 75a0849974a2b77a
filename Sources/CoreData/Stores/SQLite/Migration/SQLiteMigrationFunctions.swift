import Foundation
import GRDB

/// The SQL functions of a migration, for data whose attribute begins or ceases to allow values in
/// files.
enum SQLiteMigrationFunctions {
  /// The value with the mark of one that stays in the database.
  static let marked = "perennial_marked"
  /// The value itself, read from its file where it lies in one.
  static let unmarked = "perennial_unmarked"

  static func register(in database: Database, folder: ExternalDataFolder) {
    database.add(
      function: DatabaseFunction(marked, argumentCount: 1) { values in
        Data.fromDatabaseValue(values[0]).map(ExternalDataFolder.inline)
      }
    )
    database.add(
      function: DatabaseFunction(unmarked, argumentCount: 1) { values in
        try Data.fromDatabaseValue(values[0])?.withUnsafeBytes { try folder.value($0) }
      }
    )
  }
}
