/// The statements that a connection keeps prepared: those of the framework, whose number is bounded by its
/// model, and those of a program's requests, of which there are ``limit`` at most.
///
/// A program has so many kinds of requests and no more, and each is worth preparing once. One that makes up
/// predicates, or lists in them, must not fill the memory with statements: when the limit is reached, all are
/// released. A statement that is still in use is prepared again when it comes again.
package struct StatementCache {
  /// The number of different statements that are held for requests.
  package static let limit = 500

  /// A statement, and the object that represents its text.
  private struct Known {
    /// Kept alive, so that no other object gets its address.
    let text: AnyObject
    let statement: Statement
  }

  private var statements: [String: Statement] = [:]
  /// The texts of requests among them.
  private var requests: Set<String> = []
  private var known: [ObjectIdentifier: Known] = [:]

  func statement(_ sql: String) -> Statement? { statements[sql] }

  mutating func hold(_ statement: Statement, sql: String) { statements[sql] = statement }

  /// Records that a request is about to run a statement. If there are too many statements, all are released.
  mutating func countRequest(_ sql: String) {
    if requests.contains(sql) { return }
    if requests.count == Self.limit { removeAll() }
    requests.insert(sql)
  }

  /// The statement whose text the object represents.
  func statement(of text: AnyObject) -> Statement? { known[ObjectIdentifier(text)]?.statement }

  mutating func hold(_ statement: Statement, of text: AnyObject) {
    if known.count >= Self.limit { known = [:] }
    known[ObjectIdentifier(text)] = Known(text: text, statement: statement)
  }

  mutating func removeAll() { self = StatementCache() }
}
