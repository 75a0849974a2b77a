import Foundation

/// A store that can explain a fetch: its statement, and the database's plan.
protocol ExplainingStore: ObjectStore {
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
}

extension NSPersistentStoreCoordinator {
  /// The statement and the query plan of a fetch in the first store that runs SQL; `nil` when there is no such
  /// store, or the model has no entity of the request's name.
  ///
  /// - Throws: an error that names the part of the fetch that has no SQL, or says that the store
  ///   does not keep the entity.
  package func explanation<ResultType>(of request: NSFetchRequest<ResultType>) throws -> FetchExplanation? {
    guard let name = request.entityName, let entity = managedObjectModel.entitiesByName[name],
      let store = explainingStore
    else { return nil }
    guard request.resultType == .dictionaryResultType else {
      return try store.explanation(of: request.query(for: entity))
    }
    let fetch = try DictionaryFetch(request, entity: entity)
    if let query = fetch.ofGroups?.query, let explanation = try store.explanation(of: query) {
      return explanation
    }
    return try store.explanation(of: fetch.query)
  }

  /// The first store that is asked in SQL.
  final var explainingStore: (any ExplainingStore)? {
    persistentStores.lazy.compactMap { $0 as? any ExplainingStore }.first
  }
}

extension SQLValue {
  /// The value as SQL writes it.
  var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): "'\(value.replacing("'", with: "''"))'"
    case .blob(let value): "x'\(value.map { String(format: "%02x", $0) }.joined())'"
    }
  }
}
