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

  private struct Connection {
    weak var database: Database?
    /// Hashes of the statements' texts.
    var statements: Set<Int> = []
  }

  // A database is compared with nil here, and is used by nobody but the caller, who has the
  // connection.
  private struct Connections: @unchecked Sendable {
    private var all: [ObjectIdentifier: Connection] = [:]

    /// Counts a statement of a connection.
    ///
    /// - Returns: true where the connection had as many as it may hold; they are counted no more.
    mutating func record(_ text: Int, on database: Database) -> Bool {
      let identifier = ObjectIdentifier(database)
      if all[identifier]?.database !== database {
        // The place of one that was closed, perhaps.
        all = all.filter { $0.value.database != nil }
        all[identifier] = Connection(database: database)
      }
      if all[identifier]?.statements.contains(text) == true { return false }
      let isFull = all[identifier]?.statements.count == PreparedStatements.limit
      if isFull { all[identifier]?.statements = [] }
      all[identifier]?.statements.insert(text)
      return isFull
    }
  }

  private let connections = Mutex(Connections())

  /// Records that a connection is about to run a statement.
  ///
  /// - Returns: true when the connection is to hold it prepared.
  func holds(_ statement: SQLStatement, on database: Database) -> Bool {
    guard statement.bindings.count <= Self.mostBindings else { return false }
    let text = statement.sql.hashValue
    let isFull = connections.withLock { $0.record(text, on: database) }
    // Statements that are being run are owned by those who run them.
    if isFull { database.clearSchemaCache() }
    return true
  }
}
