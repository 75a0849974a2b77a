/// Turns a fetch into a query.
struct SQLFetch {
  let schema: SQLSchema
  let dialect: any SQLDialect
  let query: FetchQuery
  private let entity: SQLEntity
  private let scope: SQLScope

  /// - Throws: an error that names the entity, when the store does not keep it.
  init(_ query: FetchQuery, schema: SQLSchema, dialect: any SQLDialect) throws {
    self.query = query
    self.schema = schema
    self.dialect = dialect
    entity = try schema.entity(query.entity)
    scope = SQLScope(entity, schema: schema, aliases: SQLAliases())
  }

  /// The query of rows with the columns of a plan.
  ///
  /// - Throws: an error that names the part of the predicate or the sort descriptor that has no SQL.
  func rows(_ plan: SQLRowPlan) throws -> SQLStatement { try select(plan.columns) }

  /// The query of keys and entities alone.
  func keys() throws -> SQLStatement { try select([SQLNames.primaryKey, SQLNames.entity]) }

  /// The query of how many rows there are; limit and offset are those of the rows that are counted.
  func count() throws -> SQLStatement {
    let isLimited = query.limit > 0 || query.offset > 0
    var head = SQLWriter(dialect: dialect)
    head.write(isLimited ? "SELECT COUNT(*) FROM (SELECT 1 FROM " : "SELECT COUNT(*) FROM ")
    try writeBody(to: &head, sorted: false)
    if isLimited {
      dialect.writeLimit(query.limit, offset: query.offset, to: &head)
      head.write(")")
    }
    return head.statement
  }

  private func select(_ columns: [String]) throws -> SQLStatement {
    var writer = SQLWriter(dialect: dialect)
    var separator = "SELECT "
    for column in columns {
      writer.write(separator)
      writer.write(column: SQLColumnReference(alias: scope.alias, name: column))
      separator = ", "
    }
    writer.write(" FROM ")
    try writeBody(to: &writer, sorted: true)
    dialect.writeLimit(query.limit, offset: query.offset, to: &writer)
    return writer.statement
  }

  /// Writes tables, condition and order. The tables are known only when the rest is translated.
  private func writeBody(to writer: inout SQLWriter, sorted: Bool) throws {
    var rest = writer.branch()
    try writeCondition(to: &rest)
    if sorted { try writeOrder(to: &rest) }
    scope.writeTables(to: &writer)
    writer.merge(rest)
  }

  private func writeCondition(to writer: inout SQLWriter) throws {
    var word = " WHERE "
    if let numbers = schema.rowNumbers(of: entity, includingSubentities: query.includesSubentities) {
      writer.write(word)
      writer.write(column: SQLColumnReference(alias: scope.alias, name: SQLNames.entity))
      writer.writeMembership(numbers)
      word = " AND "
    }
    guard let predicate = query.predicate else { return }
    let translator = SQLPredicateTranslator(scope: scope, dialect: dialect)
    switch try translator.simplified(predicate) {
    case .always: return
    case .never: writer.write("\(word)0")
    case .condition(let condition):
      writer.write(word)
      try condition(&writer)
    }
  }

  private func writeOrder(to writer: inout SQLWriter) throws {
    var word = " ORDER BY "
    for descriptor in query.sortDescriptors {
      writer.write(word)
      try SQLSortTranslator(scope: scope, dialect: dialect).write(descriptor, to: &writer)
      word = ", "
    }
  }
}
