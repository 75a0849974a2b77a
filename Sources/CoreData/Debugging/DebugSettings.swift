import Foundation

/// The settings of what a program is asked to log: by its arguments, as on Apple's platforms, or by
/// its environment.
///
/// `-com.apple.CoreData.SQLDebug 1…4` or `COREDATA_SQL_DEBUG=1…4`, and
/// `-com.apple.CoreData.MigrationDebug 1` or `COREDATA_MIGRATION_DEBUG=1`. The environment counts
/// where both are given, as with the check of confinement.
package struct DebugSettings: Hashable, Sendable {
  /// The amount that is logged of each statement. Each level has what the one before it has.
  ///
  /// Seen in what Apple's framework prints, of which there is no documentation.
  package enum SQLLevel: Int, Comparable, Sendable {
    case off
    /// The statement, the time that it took and the number of its rows.
    case statements
    /// Its bindings too, and the triggers that it set off.
    case bindings
    /// The values of its rows too.
    case rows
    /// SQLite's query plan too.
    case plans

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    /// A word that says no comes to `off`, as do one that is unknown and a negative number; numbers
    /// beyond 4 come to 4.
    init(_ word: String) {
      switch word.lowercased() {
      case "yes", "true": self = .statements
      default: self = Self(rawValue: min(max(Int(word) ?? 0, 0), Self.plans.rawValue)) ?? .off
      }
    }
  }

  package var sql = SQLLevel.off
  package var logsMigrations = false

  package var isOff: Bool { sql == .off && !logsMigrations }

  package init(sql: SQLLevel = .off, logsMigrations: Bool = false) {
    self.sql = sql
    self.logsMigrations = logsMigrations
  }

  init(arguments: [String], environment: [String: String]) {
    func level(_ argument: String, _ variable: String) -> SQLLevel {
      if let word = environment[variable] { return SQLLevel(word) }
      guard let index = arguments.lastIndex(of: "-com.apple.CoreData.\(argument)"),
        index + 1 < arguments.count
      else { return .off }
      return SQLLevel(arguments[index + 1])
    }
    sql = level("SQLDebug", "COREDATA_SQL_DEBUG")
    logsMigrations = level("MigrationDebug", "COREDATA_MIGRATION_DEBUG") != .off
  }

  static let ofProgram = DebugSettings(
    arguments: ProcessInfo.processInfo.arguments,
    environment: ProcessInfo.processInfo.environment
  )
}
