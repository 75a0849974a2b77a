import ArgumentParser
import CoreData
import Foundation

/// The options for the log of a command's stores, on standard error.
struct LogOptions: ParsableArguments {
  enum Topic: Equatable {
    /// Statements, in the detail of the given level of `-com.apple.CoreData.SQLDebug`.
    case sql(level: Int)
    case migration
  }

  @Option(
    help: ArgumentHelp(
      """
      Show on standard error what is done with stores: sql, the statements with their bindings and times, also with a \
      level from sql:1 to sql:4, which has rows and the query plans of SQLite; migration, its steps. Several are separated by commas.
      """,
      valueName: "topics"
    ),
    transform: Self.topics
  )
  var log: [[Topic]] = []

  private var topics: [Topic] { log.flatMap { $0 } }

  private static func topics(_ words: String) throws -> [Topic] {
    try words.split(separator: ",", omittingEmptySubsequences: false).map { word in
      switch word {
      case "sql", "sql:2": .sql(level: 2)
      case "sql:1": .sql(level: 1)
      case "sql:3": .sql(level: 3)
      case "sql:4": .sql(level: 4)
      case "migration": .migration
      default: throw ValidationError("--log takes sql, sql:1 to sql:4, and migration.")
      }
    }
  }

  #if canImport(Darwin)
    func validate() throws {
      if topics.isEmpty { return }
      throw ValidationError("--log is for our framework; Apple's takes -com.apple.CoreData.SQLDebug 1.")
    }

    func during(_ work: () throws -> Void) throws { try work() }
  #else
    /// Does some work, and prints the requested log meanwhile.
    func during(_ work: () throws -> Void) throws {
      let level = topics.compactMap { if case .sql(let level) = $0 { level } else { nil } }.max() ?? 0
      let settings = DebugSettings(
        sql: DebugSettings.SQLLevel(rawValue: level) ?? .off,
        logsMigrations: topics.contains(.migration)
      )
      // The log has already made control characters in its data visible, line by line.
      try DebugLog(settings) { message in
        try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
      }
      .during(work)
    }
  #endif
}
