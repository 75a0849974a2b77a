import Foundation
import Predicates

/// Turns a query of values into one statement, whose columns are the values in their order.
package struct SQLAggregateQuery {
  private let query: AggregateQuery
  private let dialect: any SQLDialect
  private let fetch: SQLFetch
  private let values: [SQLScalar]
  private let keys: [SQLWrite]
  private let condition: SQLCondition
  private let order: [SQLWrite]

  /// - Parameter store: the index of the store. References in the predicate must have the same one.
  /// - Throws: an error that names the part without a translation into SQL.
  package init(_ query: AggregateQuery, schema: SQLSchema, store: Int32, dialect: any SQLDialect) throws {
    self.query = query
    self.dialect = dialect
    fetch = try SQLFetch(query.objects, schema: schema, store: store, dialect: dialect)
    // Key paths join tables to those of the fetch, before it writes them.
    let translator = SQLGroupTranslator(scope: fetch.scope, dialect: dialect)
    values = try query.values.map(translator.scalar)
    keys = try query.grouping.keys.flatMap { try translator.terms($0, of: query) }
    condition = try query.condition.map { try translator.condition($0) } ?? .always
    order = try query.order.map(translator.term)
  }

  package func statement() throws -> SQLStatement {
    var writer = SQLWriter(dialect: dialect)
    try write(values.map(\.write), after: "SELECT ", to: &writer)
    writer.write(" FROM ")
    try fetch.writeTablesAndCondition(to: &writer)
    try write(keys, after: " GROUP BY ", to: &writer)
    try writeCondition(to: &writer)
    if case .eachObject = query.grouping {
      try write(fetch.order, after: " ORDER BY ", to: &writer)
      dialect.writeLimit(query.objects.limit, offset: query.objects.offset, to: &writer)
    } else {
      try write(order, after: " ORDER BY ", to: &writer)
      dialect.writeLimit(query.limit, offset: query.offset, to: &writer)
    }
    return try writer.checkedStatement()
  }

  private func write(_ parts: [SQLWrite], after first: String, to writer: inout SQLWriter) throws {
    var word = first
    for part in parts {
      writer.write(word)
      try part(&writer)
      word = ", "
    }
  }

  private func writeCondition(to writer: inout SQLWriter) throws {
    switch condition {
    case .always: return
    case .never: writer.write(" HAVING \(dialect.literal(false))")
    case .test(_, let write):
      writer.write(" HAVING ")
      try write(&writer)
    }
  }
}
