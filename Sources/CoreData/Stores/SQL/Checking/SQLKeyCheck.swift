/// Compares the table of the last keys with the entities and with the keys that are in use.
package struct SQLKeyCheck {
  /// The columns of the table.
  package struct Columns {
    let entity: String
    let name: String
    let parent: String
    let last: String

    package init(entity: String, name: String, parent: String, last: String) {
      self.entity = entity
      self.name = name
      self.parent = parent
      self.last = last
    }
  }

  let schema: SQLSchema
  let dialect: any SQLDialect
  let columns: Columns

  package init(schema: SQLSchema, dialect: any SQLDialect, columns: Columns) {
    self.schema = schema
    self.dialect = dialect
    self.columns = columns
  }

  private var table: String { schema.names.entityTable }

  /// - Parameters:
  ///   - connection: one in a transaction.
  ///   - greatest: answers the greatest key of an entity's table; `nil` where the entity is not the root of its table.
  package func findings(
    on connection: some SQLQueryConnection,
    greatest: (SQLEntity) throws -> Int64?
  ) throws -> [StoreFinding] {
    var rows: [Int64: (parent: Int64, last: Int64)] = [:]
    let query = SQLStatement(sql: "SELECT \(columns.entity), \(columns.parent), \(columns.last) FROM \(table)")
    try connection.forEachRow(of: query, preparation: .once) { row in
      rows[row.number(0)] = (row.number(1), row.number(2))
    }
    return try schema.entities.flatMap { entity -> [StoreFinding] in
      guard let row = rows[entity.number] else { return [missing(entity)] }
      return parent(entity, found: row.parent)
        + last(entity, found: row.last, greatest: try greatest(entity))
    }
  }

  /// The SQL of the greatest key of a root entity's table, and of 0 for another entity.
  package func greatestKey(_ entity: SQLEntity) -> String {
    entity.entity === entity.table.root
      ? "(SELECT COALESCE(MAX(\(schema.names.primaryKey)), 0) FROM \(dialect.identifier(entity.table.name)))"
      : "0"
  }

  private func parentNumber(_ entity: SQLEntity) -> Int64 {
    entity.entity.superentity.flatMap { schema.entity(modelNumber: Int32($0.number)) }?.number ?? 0
  }

  private func missing(_ entity: SQLEntity) -> StoreFinding {
    let name = entity.entity.name ?? ""
    let quoted = name.replacing("'", with: "''")
    return StoreFinding(
      kind: .primaryKeys,
      problem: "\(table) has no row for \(name)",
      remedy: "add it with the number \(entity.number)",
      repair: .statements([
        """
        INSERT INTO \(table) (\(columns.entity), \(columns.name), \(columns.parent), \(columns.last)) \
        VALUES (\(entity.number), '\(quoted)', \(parentNumber(entity)), \(greatestKey(entity)))
        """
      ])
    )
  }

  private func parent(_ entity: SQLEntity, found: Int64) -> [StoreFinding] {
    let number = parentNumber(entity)
    if found == number { return [] }
    return [
      StoreFinding(
        kind: .primaryKeys,
        problem:
          "\(table) says that \(entity.entity.name ?? "") inherits from the entity \(found); it is \(number)",
        remedy: "set its \(columns.parent) to \(number)",
        repair: .statements([assignment(of: number, to: columns.parent, entity: entity)])
      )
    ]
  }

  private func last(_ entity: SQLEntity, found: Int64, greatest: Int64?) -> [StoreFinding] {
    guard let greatest, found < greatest else { return [] }
    return [
      StoreFinding(
        kind: .primaryKeys,
        problem: """
          \(table) says that the last key of \(entity.entity.name ?? "") is \(found); \
          \(entity.table.name) has the key \(greatest)
          """,
        remedy: "set its \(columns.last) to \(greatest), so that no key is given out twice",
        repair: .statements([assignment(of: greatest, to: columns.last, entity: entity)])
      )
    ]
  }

  private func assignment(of number: Int64, to column: String, entity: SQLEntity) -> String {
    "UPDATE \(table) SET \(column) = \(number) WHERE \(columns.entity) = \(entity.number)"
  }
}
