import Logging
import Texts

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
