import GRDB
import Synchronization

/// Bounds the number of statements that a connection holds prepared for the requests of a program.
///
/// A program has so many kinds of requests and no more, and each is worth preparing once. One that
/// makes up predicates, or lists in them, must not fill the memory with statements. GRDB holds what
/// it has prepared until the connection is closed or all of it is released. So a connection that
/// has reached the limit releases all, and a statement that is still in use is prepared again when
/// it comes again.
final class PreparedStatements: Sendable {
  /// The number of different statements that a connection holds.
  static let limit = 500
  /// A statement with more values than these was made for a list of them.
  private static let mostBindings = 20

  /// Hashes of the texts of the statements that each connection has.
  private let connections = Mutex(PerConnection<Set<Int>>())

  /// Records that a connection is about to run a statement.
  ///
  /// - Returns: true when the connection is to hold it prepared.
  func holds(_ statement: SQLStatement, on database: Database) -> Bool {
    guard statement.bindings.count <= Self.mostBindings else { return false }
    let text = statement.sql.hashValue
    let isFull = connections.withLock { connections in
      connections.update(database, from: []) { held in
        if held.contains(text) { return false }
        let isFull = held.count == Self.limit
        if isFull { held = [] }
        held.insert(text)
        return isFull
      }
    }
    // Statements that are being run are owned by those who run them.
    if isFull { database.clearSchemaCache() }
    return true
  }
}
