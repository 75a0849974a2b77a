import CoreData
import Foundation
import TestSupport

/// A new schema on the server that the environment names. It is removed after the test.
final class ServerSchema {
  /// The URL of the server: see Scripts/postgresql.
  static let server = ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL"]

  let name = TestSchema.newName()
  var url: String { "\(Self.server ?? "")?schema=\(name)" }

  /// Executes a statement in the schema without Core Data.
  func execute(_ sql: String, _ program: Program) throws {
    let outcome = try program.shell(
      "psql '\(Self.server ?? "")' -XqAt -v ON_ERROR_STOP=1 -c 'SET search_path TO \(name)' -c \"\(sql)\""
    )
    guard outcome.status == 0 else { throw CocoaError(.executableLoad, userInfo: ["psql": outcome.errors]) }
  }

  /// The output of a query.
  func query(_ sql: String, _ program: Program) throws -> String {
    try program.shell("psql '\(Self.server ?? "")' -XqAt -c \"\(sql)\"").output
  }

  deinit {
    #if PostgreSQL
      for name in [name, "\(name)-unrepaired"] {
        guard let url = URL(string: "\(Self.server ?? "")?schema=\(name)") else { continue }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        try? coordinator.destroyPersistentStore(at: url, ofType: NSPostgreSQLStoreType)
      }
    #endif
  }
}
