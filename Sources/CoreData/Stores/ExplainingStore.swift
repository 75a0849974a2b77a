/// A store that can explain a fetch: its statement, and the database's plan.
package protocol ExplainingStore: ObjectStore {
  /// - Throws: an error that names the part of the fetch that has no SQL, or says that the store does not keep the
  ///   entity.
  func explanation(of query: FetchQuery) throws -> FetchExplanation

  /// The explanation of a query of values; `nil` if it cannot be written in SQL, and objects are fetched.
  func explanation(of query: AggregateQuery) throws -> FetchExplanation?
}

/// The statement and the query plan that a fetch becomes in a store that is asked in SQL.
package struct FetchExplanation: Sendable {
  /// The statement, with a question mark for each value in SQLite, and `$1` for the first in PostgreSQL.
  package let sql: String
  /// The values that are bound, as SQL writes them.
  package let bindings: [String]
  /// The database's query plan, a line for each step, indented below the step that it belongs to.
  package let plan: [String]

  package init(sql: String, bindings: [String], plan: [String]) {
    self.sql = sql
    self.bindings = bindings
    self.plan = plan
  }
}
