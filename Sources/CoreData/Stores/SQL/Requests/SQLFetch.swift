import Foundation
import Predicates

/// Turns a fetch into a query.
package struct SQLFetch {
  let dialect: any SQLDialect
  let query: FetchQuery
  package let scope: SQLScope
  let condition: SQLCondition
  /// The terms of `ORDER BY`.
  let order: [SQLWrite]

  /// - Parameter store: the index of the store. References in the predicate must have the same one.
  /// - Throws: an error that names the entity that the store does not keep, or the part of the
  ///   predicate or of the sort descriptors that has no SQL.
  package init(_ query: FetchQuery, schema: SQLSchema, store: Int32, dialect: any SQLDialect) throws {
    self.query = query
    self.dialect = dialect
    let scope = SQLScope(try schema.entity(query.entity), schema: schema, store: store)
    self.scope = scope
    let table = scope.entity.table
    let key = SQLPosition(root: scope).key
    var conditions: [SQLCondition] = []
    if let numbers = schema.rowNumbers(of: scope.entity, includingSubentities: query.includesSubentities) {
      conditions.append(
        .atom { writer in
          writer.write(column: SQLColumnReference(alias: scope.alias, name: table.entityColumn))
          writer.writeMembership(numbers)
        }
      )
    }
    if let keys = query.keys {
      // Not every database knows a list without members.
      conditions.append(
        keys.isEmpty
          ? .never
          : .atom { writer in
            writer.write(column: key)
            writer.writeMembership(of: .integers(keys))
          }
      )
    }
    if let after = query.after { conditions.append(Self.condition(key, sign: " > ", bound: after)) }
    if let slice = query.slice {
      conditions.append(
        .atom { writer in
          writer.write(column: key)
          writer.write(" BETWEEN ")
          writer.bind(.integer(slice.lowerBound), as: .integer)
          writer.write(" AND ")
          writer.bind(.integer(slice.upperBound), as: .integer)
        }
      )
    }
    let translator = SQLPredicateTranslator(scope: scope, dialect: dialect)
    let bounds = query.span.map { Self.conditions($0, on: key) } ?? []
    if query.beyond == nil { conditions += bounds }
    if let predicate = query.predicate {
      try SQLTranslationFailure.requireHeight(of: predicate)
      conditions.append(try translator.condition(predicate))
    }
    if let beyond = query.beyond { conditions.append(.any([.all(bounds), try translator.condition(beyond)])) }
    condition = .all(conditions)
    let sorting = SQLSortTranslator(scope: scope, dialect: dialect)
    guard query.after == nil else {
      order = [{ $0.write(column: key) }]
      return
    }
    let terms = try query.sortDescriptors.map(sorting.term)
    let isAscending = query.span?.isAscending ?? true
    let lastTerm: SQLWrite = { writer in
      writer.write(column: key)
      if !isAscending { writer.write(" DESC") }
    }
    order = query.span == nil ? terms : terms + [lastTerm]
  }

  /// The conditions that the key of a row lies in a span.
  private static func conditions(_ span: KeySpan, on key: SQLColumnReference) -> [SQLCondition] {
    [(span.lower, " > "), (span.upper, " < ")].compactMap { bound, sign in
      bound.map { condition(key, sign: sign, bound: $0) }
    }
  }

  private static func condition(_ key: SQLColumnReference, sign: String, bound: Int64) -> SQLCondition {
    .atom { writer in
      writer.write(column: key)
      writer.write(sign)
      writer.bind(.integer(bound), as: .integer)
    }
  }

  /// The columns of the key and of the entity of a row.
  package var keyColumns: [String] { [scope.entity.table.primaryKey, scope.entity.table.entityColumn] }

  /// The query of some columns of the rows, in the fetch's order.
  package func rows(_ columns: [String]) throws -> SQLStatement {
    var writer = SQLWriter(dialect: dialect)
    try writeRows(columns, to: &writer)
    return try writer.checkedStatement()
  }

  /// The query of rows as a plan reads them, in the fetch's order.
  package func rows(of plan: SQLRowPlan) throws -> SQLStatement {
    var writer = SQLWriter(dialect: dialect)
    writer.write("SELECT ")
    writer.write(plan.selection)
    writer.write(" FROM ")
    try writeTablesAndCondition(to: &writer)
    try writeOrderAndLimit(to: &writer)
    return try writer.checkedStatement()
  }

  private func writeRows(_ columns: [String], to writer: inout SQLWriter) throws {
    write(columns, to: &writer)
    try writeTablesAndCondition(to: &writer)
    try writeOrderAndLimit(to: &writer)
  }

  /// Writes the part before the tables.
  func write(_ columns: [String], to writer: inout SQLWriter) {
    var word = "SELECT "
    for column in columns {
      writer.write(word)
      writer.write(column: SQLColumnReference(alias: scope.alias, name: column))
      word = ", "
    }
    writer.write(" FROM ")
  }

  func writeOrderAndLimit(to writer: inout SQLWriter) throws {
    var word = " ORDER BY "
    for part in order {
      writer.write(word)
      try part(&writer)
      word = ", "
    }
    dialect.writeLimit(query.limit, offset: query.offset, to: &writer)
  }

  /// The query for the number of rows, within limit and offset.
  func count() throws -> SQLStatement {
    let isLimited = query.limit > 0 || query.offset > 0
    var writer = SQLWriter(dialect: dialect)
    writer.write(isLimited ? "SELECT COUNT(*) FROM (SELECT 1 FROM " : "SELECT COUNT(*) FROM ")
    try writeTablesAndCondition(to: &writer)
    if isLimited {
      dialect.writeLimit(query.limit, offset: query.offset, to: &writer)
      writer.write(")\(dialect.derivedTableAlias)")
    }
    return try writer.checkedStatement()
  }

  /// Writes the condition of a statement that changes rows of the entity's table, which has the scope's alias in the
  /// statement. A condition that needs other tables, a limit or an offset finds the keys in a subquery.
  func writeConditionOnTable(to writer: inout SQLWriter) throws {
    guard scope.hasJoins || query.limit > 0 || query.offset > 0 else { return try Self.write(condition, to: &writer) }
    let key = SQLPosition(root: scope).key
    writer.write(" WHERE ")
    writer.write(column: key)
    writer.write(" IN (")
    try writeRows([key.name], to: &writer)
    writer.write(")")
  }

  /// Writes the part after `FROM` that determines the rows.
  func writeTablesAndCondition(to writer: inout SQLWriter) throws {
    try scope.writeTables(to: &writer)
    try Self.write(condition, to: &writer)
  }

  /// Writes the condition of a statement, if it has one.
  static func write(_ condition: SQLCondition, to writer: inout SQLWriter) throws {
    switch condition {
    case .always: return
    case .never: writer.write(" WHERE \(writer.dialect.literal(false))")
    case .test(_, let write):
      writer.write(" WHERE ")
      try write(&writer)
    }
  }
}

/// Turns sort descriptors into terms of `ORDER BY`. Null comes first, as it does in memory.
struct SQLSortTranslator {
  let scope: SQLScope
  let dialect: any SQLDialect

  /// - Throws: an error that names the key, when it cannot be sorted by in SQL.
  func term(_ descriptor: NSSortDescriptor) throws -> SQLWrite {
    if case .custom = descriptor.comparison {
      throw SQLTranslationFailure.error(
        "A sort descriptor with a comparator, for the key \(descriptor.key ?? "self"),",
        reason: "sort the result in memory, or name one of the selectors"
      )
    }
    guard let key = descriptor.keyOfRecords else {
      throw SQLTranslationFailure.error(
        "A sort descriptor without a key of the model",
        reason: "make it of the key of a property, or of a key path of the entity's class"
      )
    }
    var resolver = SQLKeyPathResolver(key)
    guard case .scalar(let scalar) = try resolver.operand(from: .object(SQLPosition(root: scope))) else {
      throw SQLTranslationFailure.error(
        key,
        reason: "a to-many relationship has no order; sort by @count, @min or @max"
      )
    }
    guard scalar.kind.isSortable else {
      throw SQLTranslationFailure.error(key, reason: "\(scalar.kind.name) has no order to sort by")
    }
    let order = scalar.kind == .text ? descriptor.comparison.textOrder : nil
    let isAscending = descriptor.ascending
    return { try dialect.writeSortTerm(scalar.write, by: order, isAscending: isAscending, to: &$0) }
  }
}
