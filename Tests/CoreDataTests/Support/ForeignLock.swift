import Foundation
import GRDB

/// The write lock of a database, held by a connection that is not the store's, as another process would hold it.
final class ForeignLock: Sendable {
  private let connection: DatabaseQueue

  init(_ file: URL) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    connection = try DatabaseQueue(path: file.path, configuration: configuration)
    try connection.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  func release() throws { try connection.inDatabase { try $0.execute(sql: "ROLLBACK") } }
}
