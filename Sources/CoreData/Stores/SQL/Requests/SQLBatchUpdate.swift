import Predicates

/// Turns a batch update into one statement.
///
/// The statement has the fetch's condition when that asks for the entity's own columns alone; a condition that follows
/// relationships, or a fetch with a limit or an offset, selects the keys in a query inside.
package struct SQLBatchUpdate {
  /// A value that a slot is set to.
  package enum Value {
    /// A value, and the number of the destination's entity for a relationship that tells it.
    case constant(SQLValue, entity: SQLValue = .null)
    case expression(NSExpression)
  }

  package let entity: SQLEntity
  let dialect: any SQLDialect
  private let fetch: SQLFetch
  private let schema: SQLSchema
  private let store: Int32

  package init(_ query: FetchQuery, schema: SQLSchema, store: Int32, dialect: any SQLDialect) throws {
    self.schema = schema
    self.store = store
    self.dialect = dialect
    entity = try schema.entity(query.entity)
    fetch = try SQLFetch(query, schema: schema, store: store, dialect: dialect)
  }

  /// The statement.
  ///
  /// - Parameter returnsKeys: true when it answers the keys and the entities of the changed rows.
  /// - Throws: an error that names the expression without a translation into SQL.
  package func statement(_ assignments: [(slot: Int, value: Value)], returnsKeys: Bool) throws -> SQLStatement {
    var writer = SQLWriter(dialect: dialect)
    let (alias, version) = (fetch.scope.alias, dialect.identifier(entity.table.versionColumn))
    writer.write("UPDATE \(dialect.identifier(entity.table.name)) AS \(alias) ")
    writer.write("SET \(version) = COALESCE(\(alias).\(version), 0) + 1")
    for (slot, value) in assignments { try write(value, number: slot, to: &writer) }
    try fetch.writeConditionOnTable(to: &writer)
    if returnsKeys { writer.writeReturning(entity.table) }
    return try writer.checkedStatement()
  }

  /// The query of some columns of the rows before they are changed.
  package func rows(_ columns: [String]) throws -> SQLStatement { try fetch.rows(columns) }

  private func write(_ value: Value, number: Int, to writer: inout SQLWriter) throws {
    guard let slot = entity.slots[number] else { return }
    writer.write(", \(dialect.identifier(slot.column)) = ")
    switch value {
    case .expression(let expression): try write(expression, slot: number, to: &writer)
    case .constant(let constant, let destination):
      writer.bind(constant)
      guard let column = slot.entityColumn else { return }
      writer.write(", \(dialect.identifier(column)) = ")
      writer.bind(destination)
    }
  }

  /// An expression that follows relationships needs a subquery.
  private func write(_ expression: NSExpression, slot: Int, to writer: inout SQLWriter) throws {
    let own = SQLScope(entity, schema: schema, store: store, alias: fetch.scope.alias)
    let scalar = try SQLPredicateTranslator(scope: own, dialect: dialect).scalar(expression)
    try check(scalar.kind, expression: expression, slot: slot)
    let value: SQLWrite = own.hasJoins ? { try writeQuery(of: expression, to: &$0) } : scalar.write
    guard let attribute = entity.layout.slots[slot].attribute else { return try value(&writer) }
    try dialect.writeAssigned(value, scalar, to: attribute, to: &writer)
  }

  private func writeQuery(of expression: NSExpression, to writer: inout SQLWriter) throws {
    let scope = fetch.scope.nested(entity)
    let scalar = try SQLPredicateTranslator(scope: scope, dialect: dialect).scalar(expression)
    writer.write("(SELECT ")
    try scalar.write(&writer)
    writer.write(" FROM ")
    try scope.writeTables(to: &writer)
    writer.write(" WHERE ")
    writer.write(SQLPosition(root: scope).key, equals: SQLPosition(root: fetch.scope).key)
    writer.write(")")
  }

  private func check(_ kind: SQLKind, expression: NSExpression, slot: Int) throws {
    guard let attribute = entity.layout.slots[slot].attribute else { return }
    let wanted = SQLKind(attribute)
    if wanted.isComparable(with: kind), wanted != .opaque { return }
    throw SQLTranslationFailure.error(
      "\(expression)",
      reason:
        "it is \(kind.name), and \(attribute.modelPath) holds \(wanted.name); use one of the attribute's type"
    )
  }
}
