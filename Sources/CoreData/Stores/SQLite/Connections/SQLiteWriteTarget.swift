import GRDB

/// The target that a store's changes are written through: its open connections, or a transaction of
/// many saves.
protocol SQLiteWriteTarget: AnyObject {
  /// Runs work that is kept as a whole or not at all.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value

  /// Removes files that no row refers to, as soon as no state of the database can name them any
  /// more.
  func release(_ files: SQLiteFileChanges, _ folder: ExternalDataFolder)
}

/// The names of files of external data that some work made, and of those that are of no use once it
/// is kept.
struct SQLiteFileChanges: Sendable {
  var new: [String] = []
  var old: [String] = []
}
