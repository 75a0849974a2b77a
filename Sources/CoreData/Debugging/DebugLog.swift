import Foundation
import Logging
import Texts

/// The settings of what a program is asked to log: by its arguments, as on Apple's platforms, or by its environment.
///
/// `-com.apple.CoreData.SQLDebug 1…4` or `COREDATA_SQL_DEBUG=1…4`, and `-com.apple.CoreData.MigrationDebug 1` or
/// `COREDATA_MIGRATION_DEBUG=1`. The environment counts where both are given, as with the check of confinement.
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

    /// A word that means no, an unknown word and a negative number are `off`; numbers beyond 4 are treated like 4.
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
    func level(_ argument: String, variable: String) -> SQLLevel {
      if let word = environment[variable] { return SQLLevel(word) }
      guard let index = arguments.lastIndex(of: "-com.apple.CoreData.\(argument)"),
        index + 1 < arguments.count
      else { return .off }
      return SQLLevel(arguments[index + 1])
    }
    sql = level("SQLDebug", variable: "COREDATA_SQL_DEBUG")
    logsMigrations = level("MigrationDebug", variable: "COREDATA_MIGRATION_DEBUG") != .off
  }

  static let ofProgram = DebugSettings(
    arguments: ProcessInfo.processInfo.arguments,
    environment: ProcessInfo.processInfo.environment
  )
}

/// A log of the statements and migrations that a program asked to see.
package struct DebugLog: Sendable {
  let settings: DebugSettings
  private let write: @Sendable (_ message: String, _ store: String) -> Void

  /// A log through swift-log, with the label `CoreData`, so that a program's own handler gets it.
  ///
  /// The level is `info`: what was asked for by name is to be seen, and swift-log's default
  /// handler, like most that programs set up, keeps back what is below.
  ///
  /// - Parameter makeLogger: makes a logger for each message, so that it is the program's own once
  ///   that has set up its logging.
  init(
    _ settings: DebugSettings,
    makeLogger: @escaping @Sendable () -> Logger = { Logger(label: "CoreData") }
  ) {
    self.settings = settings
    write = { message, store in makeLogger().info("\(message)", metadata: ["store": "\(store)"]) }
  }

  /// A log that goes to a function, on the thread that did what is logged.
  package init(_ settings: DebugSettings, to write: @escaping @Sendable (_ message: String) -> Void) {
    self.settings = settings
    self.write = { message, _ in write(message) }
  }

  /// Logs what is done meanwhile, with all stores of the process.
  package func during<Value>(_ work: () throws -> Value) rethrows -> Value {
    if settings.isOff { return try work() }
    let registration = StoreObservers.add(observer)
    defer { StoreObservers.remove(registration) }
    return try work()
  }

  var observer: StoreObserver {
    let write = write
    return StoreObserver(
      details: StatementDetails(settings.sql),
      hearsMigrations: settings.logsMigrations,
      executed: { write("sql: \(StatementText($0))", VisibleText(spelling: $0.store).description) },
      migrating: { write("migration: \(VisibleText(spelling: $0))", VisibleText(spelling: $1).description) }
    )
  }
}
