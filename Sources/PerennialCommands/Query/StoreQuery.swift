import CoreData
import Foundation

/// A query that a command runs on a store, with the forms of its result.
protocol StoreQuery {
  func run(in coordinator: NSPersistentStoreCoordinator) throws -> ResultTable
  /// The number of rows that `run` returns.
  func count(in coordinator: NSPersistentStoreCoordinator) throws -> Int
  /// The explanation of how the store finds the objects, or how it groups them.
  func explanation(in coordinator: NSPersistentStoreCoordinator) throws -> String
}

/// Prints the SQL of a query, and the database's plan for it.
enum QueryExplanation {
  static func text<Result: NSFetchRequestResult>(
    of request: NSFetchRequest<Result>,
    in coordinator: NSPersistentStoreCoordinator
  ) throws -> String {
    #if canImport(ObjectiveC)
      throw CommandFailure("--explain: Apple's store tells its SQL only in the log (-com.apple.CoreData.SQLDebug 1)")
    #else
      guard let explanation = try coordinator.explanation(of: request) else {
        throw CommandFailure("--explain: the store is not asked in SQL: it is not in SQLite or PostgreSQL")
      }
      var lines = [explanation.sql]
      if !explanation.bindings.isEmpty {
        lines.append("with " + explanation.bindings.map(shortened).joined(separator: ", "))
      }
      return (lines + explanation.plan.map { "  " + $0 }).joined(separator: "\n") + "\n"
    #endif
  }

  /// A literal, cut to 100 characters, because a list after IN is one literal and may be long.
  private static func shortened(_ literal: String) -> String {
    literal.count > 100 ? literal.prefix(100) + "…" : literal
  }
}
