/// The tables of a query: the one whose rows it returns, and those that key paths lead to.
///
/// A key path across a to-one relationship joins its destination once, however often it is used.
package final class SQLScope {
  let schema: SQLSchema
  let entity: SQLEntity
  /// The alias of the entity's table.
  package let alias: String
  /// The index of the store. References in predicates must have the same one.
  let store: Int32
  private let aliases: SQLAliases
  /// The part before the entity's table, where the query starts at a join table.
  private var leading: SQLWrite?
  private var joins: [SQLWrite] = []
  private var toOneAliases: [SQLColumnReference: String] = [:]
  /// The conditions that rows have to fulfil because of the joins.
  private(set) var conditions: [SQLCondition] = []

  convenience init(
    _ entity: SQLEntity,
    schema: SQLSchema,
    store: Int32,
    aliases: SQLAliases = SQLAliases()
  ) {
    self.init(entity, schema: schema, store: store, alias: aliases.next(), aliases: aliases)
  }

  private init(
    _ entity: SQLEntity,
    schema: SQLSchema,
    store: Int32,
    alias: String,
    aliases: SQLAliases
  ) {
    self.schema = schema
    self.entity = entity
    self.store = store
    self.alias = alias
    self.aliases = aliases
  }

  /// True when the query has other tables in addition to the entity's own.
  var hasJoins: Bool { leading != nil || !joins.isEmpty }

  /// A scope for a part of a statement in which the entity's table already has an alias.
  convenience init(_ entity: SQLEntity, schema: SQLSchema, store: Int32, alias: String) {
    self.init(entity, schema: schema, store: store, alias: alias, aliases: SQLAliases(prefix: "\(alias)_"))
  }

  /// A scope for a query inside this one.
  func nested(_ entity: SQLEntity) -> SQLScope { SQLScope(entity, schema: schema, store: store, aliases: aliases) }

  /// Joins the destination of a to-one relationship, and answers its alias.
  func joinToOne(_ table: SQLTable, on foreignKey: SQLColumnReference) -> String {
    if let alias = toOneAliases[foreignKey] { return alias }
    let alias = aliases.next()
    toOneAliases[foreignKey] = alias
    joins.append { writer in
      Self.writeJoin(
        "LEFT JOIN",
        table: table.name,
        alias: alias,
        column: table.primaryKey,
        on: foreignKey,
        to: &writer
      )
    }
    return alias
  }

  /// Begins with the destinations of a to-many relationship.
  ///
  /// - Returns: the SQL that ties them to the object outside whose key is given.
  func begin(_ relationship: SQLToMany, from key: SQLColumnReference) -> SQLWrite {
    let column: SQLColumnReference
    switch relationship {
    case .foreignKey(let foreignKey): column = SQLColumnReference(alias: alias, name: foreignKey.column)
    case .join(let join):
      let joinAlias = aliases.next()
      column = SQLColumnReference(alias: joinAlias, name: join.source)
      leading = { [alias] writer in
        let target = SQLColumnReference(alias: joinAlias, name: join.target)
        writer.write(table: join.table.name, alias: joinAlias)
        Self.writeJoin(
          "JOIN",
          table: join.destinationTable.name,
          alias: alias,
          column: join.destinationTable.primaryKey,
          on: target,
          to: &writer
        )
      }
    case .transient: column = key
    }
    return { $0.write(column, equals: key) }
  }

  /// Joins the destinations of a to-many relationship of the elements, and answers their alias.
  ///
  /// An element without the object that has the relationship has one destination, which is null, as
  /// in the evaluation in memory. An object without destinations has none.
  func joinToMany(_ relationship: SQLToMany, to table: SQLTable, from position: SQLPosition) -> String {
    let destination = aliases.next()
    let word = position.isOptional ? "LEFT JOIN" : "JOIN"
    let key = position.key
    switch relationship {
    case .foreignKey(let foreignKey):
      joins.append {
        Self.writeJoin(
          word,
          table: table.name,
          alias: destination,
          column: foreignKey.column,
          on: key,
          to: &$0
        )
      }
    case .join(let join):
      let alias = aliases.next()
      joins.append { writer in
        Self.writeJoin(word, table: join.table.name, alias: alias, column: join.source, on: key, to: &writer)
        Self.writeJoin(
          word,
          table: table.name,
          alias: destination,
          column: table.primaryKey,
          on: SQLColumnReference(alias: alias, name: join.target),
          to: &writer
        )
      }
    case .transient: break
    }
    if position.isOptional {
      conditions.append(
        .test(isAtom: false) { writer in
          writer.write(column: SQLColumnReference(alias: destination, name: table.primaryKey))
          writer.write(" IS NOT NULL OR ")
          writer.write(column: key)
          writer.write(" IS NULL")
        }
      )
    }
    return destination
  }

  /// Writes the tables of the `FROM` clause.
  func writeTables(to writer: inout SQLWriter) throws {
    if let leading {
      try leading(&writer)
    } else {
      writer.write(table: entity.table.name, alias: alias)
    }
    for join in joins { try join(&writer) }
  }

  private static func writeJoin(
    _ word: String,
    table: String,
    alias: String,
    column: String,
    on key: SQLColumnReference,
    to writer: inout SQLWriter
  ) {
    writer.write(" \(word) ")
    writer.write(table: table, alias: alias)
    writer.write(" ON ")
    writer.write(SQLColumnReference(alias: alias, name: column), equals: key)
  }
}

/// Counts the aliases of a statement: t0, t1, …
final class SQLAliases {
  /// The alias of the first table of a statement.
  static let first = "t0"
  private let prefix: String
  private var count = 0

  init(prefix: String = "t") { self.prefix = prefix }

  func next() -> String {
    defer { count += 1 }
    return "\(prefix)\(count)"
  }
}
