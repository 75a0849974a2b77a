import GRDB
import Synchronization

/// Bounds the number of statements that a connection holds prepared for the requests of a program, and finds
/// those among them that it knows by their texts' identity.
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

  /// A statement that a connection has for a text. GRDB owns it, as long as it holds it prepared.
  private struct Known {
    /// Kept, so that no other text comes to its address.
    let text: SQLText
    weak var statement: Statement?
  }

  /// What a connection has.
  // Whoever has the connection uses its statements, and nobody else.
  private struct Held: @unchecked Sendable {
    /// Hashes of the texts of statements.
    var texts: Set<Int> = []
    var known: [ObjectIdentifier: Known] = [:]
  }

  private let connections = Mutex(PerConnection<Held>())

  /// The statement as a connection has it prepared.
  ///
  /// - Parameter isCounted: true where there may be many such statements.
  /// - Returns: one that is to be held, or one for this time alone.
  func statement(_ statement: SQLStatement, on database: Database, isCounted: Bool) throws -> Statement {
    if let text = statement.text, let known = known(text, on: database) { return known }
    if isCounted, !holds(statement, on: database) { return try database.makeStatement(sql: statement.sql) }
    let prepared = try database.cachedStatement(sql: statement.sql)
    if let text = statement.text { keep(prepared, for: text, on: database) }
    return prepared
  }

  private func known(_ text: SQLText, on database: Database) -> Statement? {
    connections.withLock { connections in
      UncheckedSendable(
        connections.update(database, from: Held()) { $0.known[ObjectIdentifier(text)]?.statement }
      )
    }.value
  }

  private func keep(_ statement: Statement, for text: SQLText, on database: Database) {
    let known = UncheckedSendable(Known(text: text, statement: statement))
    connections.withLock { connections in
      connections.update(database, from: Held()) { held in
        if held.known.count >= Self.limit { held.known = [:] }
        held.known[ObjectIdentifier(text)] = known.value
      }
    }
  }

  /// Records that a connection is about to run a statement.
  ///
  /// - Returns: true when the connection is to hold it prepared.
  func holds(_ statement: SQLStatement, on database: Database) -> Bool {
    guard statement.bindings.count <= Self.mostBindings else { return false }
    let text = statement.sql.hashValue
    let isFull = connections.withLock { connections in
      connections.update(database, from: Held()) { held in
        if held.texts.contains(text) { return false }
        let isFull = held.texts.count == Self.limit
        if isFull { held.texts = [] }
        held.texts.insert(text)
        return isFull
      }
    }
    // Statements that are being run are owned by those who run them.
    if isFull { database.clearSchemaCache() }
    return true
  }
}
