import GRDB
import Synchronization

/// Bounds the number of statements that a connection holds prepared for the requests of a program.
///
/// A program has so many kinds of requests and no more, and each is worth preparing once. One that
/// makes up predicates, or lists in them, must not fill the memory with statements. GRDB holds what
/// it has prepared until the connection is closed or all of it is let go of. So a connection that
/// has reached the limit lets go of all, and what is still in use is prepared again when it comes
/// again.
final class PreparedStatements: Sendable {
  /// The number of different statements that a connection holds.
  static let limit = 500
  /// A statement with more values than these was made for a list of them.
  private static let mostBindings = 20

  private struct Connection {
    weak var database: Database?
    /// Hashes of the statements' texts.
    var statements: Set<Int> = []
  }

  // A database is compared with nil here, and is used by nobody but the caller, who has the
  // connection.
  private struct Connections: @unchecked Sendable {
    var all: [ObjectIdentifier: Connection] = [:]
  }

  private let connections = Mutex(Connections())

  /// Records that a connection is about to run a statement.
  ///
  /// - Returns: whether the connection is to hold it prepared.
  func holds(_ statement: SQLStatement, on database: Database) -> Bool {
    guard statement.bindings.count <= Self.mostBindings else { return false }
    let isFull = connections.withLock { connections in
      let identifier = ObjectIdentifier(database)
      var connection = connections.all[identifier] ?? Connection()
      if connection.database !== database {
        // The place of one that was closed.
        connection = Connection(database: database)
        connections.all = connections.all.filter { $0.value.database != nil }
      }
      let hash = statement.sql.hashValue
      let isFull = connection.statements.count == Self.limit && !connection.statements.contains(hash)
      if isFull { connection.statements = [] }
      connection.statements.insert(hash)
      connections.all[identifier] = connection
      return isFull
    }
    // Statements that are being run are owned by those who run them.
    if isFull { database.clearSchemaCache() }
    return true
  }
}
