import Foundation
import SQLiteDriver

/// The write lock of a database, held by a connection outside of the store, as another process holds it.
final class ForeignLock: Sendable {
  private let connection: SQLiteConnection

  init(_ file: URL) throws {
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    connection = try SQLiteConnection(path: file.path, configuration: configuration)
    try connection.use { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  func release() throws { try connection.use { try $0.execute(sql: "ROLLBACK") } }
}
