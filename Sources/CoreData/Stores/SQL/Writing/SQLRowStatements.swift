import Synchronization

/// The statements that write rows, each to be prepared once and bound for many rows.
package final class SQLRowStatements: Sendable {
  private struct Insertion: Hashable {
    let entity: Int64
    let slots: [Int]
    let rows: Int
  }

  let dialect: any SQLDialect
  /// The texts of insertions: a server inserts the same few objects again and again.
  private let insertions = Mutex<[Insertion: String]>([:])
  private static let mostInsertions = 500

  package init(dialect: any SQLDialect) { self.dialect = dialect }

  // MARK: - Rows

  /// Binds key, entity and version of each row, then its slots; a to-one relationship that tells the
  /// entity of its destination binds twice.
  func insertion(_ entity: SQLEntity, slots: [Int], rows: Int = 1) -> String {
    let insertion = Insertion(entity: entity.number, slots: slots, rows: rows)
    if let known = insertions.withLock({ $0[insertion] }) { return known }
    let text = newInsertion(entity, slots: slots, rows: rows)
    insertions.withLock { insertions in
      if insertions.count == Self.mostInsertions { insertions = [:] }
      insertions[insertion] = text
    }
    return text
  }

  private func newInsertion(_ entity: SQLEntity, slots: [Int], rows: Int) -> String {
    let table = entity.table
    let columns =
      [table.primaryKey, table.entityColumn, table.versionColumn]
      + slots.flatMap { names(of: entity.slots[$0]) }
    let values = (0..<rows).map { row in
      "(\(columns.indices.map { dialect.placeholder(row * columns.count + $0 + 1) }.joined(separator: ", ")))"
    }
    return "INSERT INTO \(name(table.name)) (\(columns.map(name).joined(separator: ", "))) "
      + "VALUES \(values.joined(separator: ", "))"
  }

  /// An insertion that binds like `insertion(_:slots:)`, and returns key and entity of the row that it made or changed.
  ///
  /// - Parameter constraints: the uniqueness constraints of the entity's table.
  /// - Throws: an error when one statement cannot heed all of the constraints.
  func insertion(
    _ entity: SQLEntity,
    slots: [Int],
    resolving resolution: SQLConflictResolution,
    of constraints: [SQLConstraint]
  ) throws -> String {
    let insertion = insertion(entity, slots: slots)
    switch resolution {
    case .fail: return insertion
    case .ignore: return "\(insertion) ON CONFLICT DO NOTHING \(returning(entity.table))"
    case .assign(let assigned):
      let version = entity.table.versionColumn
      let former = dialect.conflictingColumn(version, of: entity.table.name)
      let assignments =
        ["\(name(version)) = COALESCE(\(former), 0) + 1"]
        + assigned.flatMap { names(of: entity.slots[$0]) }.map { "\(name($0)) = excluded.\(name($0))" }
      return "\(insertion) ON CONFLICT\(try dialect.conflictTarget(constraints)) "
        + "DO UPDATE SET \(assignments.joined(separator: ", ")) \(returning(entity.table))"
    }
  }

  private func returning(_ table: SQLTable) -> String {
    "RETURNING \(name(table.primaryKey)), \(name(table.entityColumn))"
  }

  /// Binds the new version, the slots, the key and the old version.
  func update(_ entity: SQLEntity, slots: [Int]) -> String {
    let columns = [entity.table.versionColumn] + slots.flatMap { names(of: entity.slots[$0]) }
    let assignments = columns.enumerated().map { "\(name($1)) = \(dialect.placeholder($0 + 1))" }
    return "UPDATE \(name(entity.table.name)) SET \(assignments.joined(separator: ", ")) "
      + condition(entity.table, from: columns.count)
  }

  /// Binds the key of a row whose columns are emptied.
  func emptying(_ table: SQLTable, columns: [String]) -> String {
    let assignments = columns.map { "\(name($0)) = NULL" }.joined(separator: ", ")
    return
      "UPDATE \(name(table.name)) SET \(assignments) WHERE \(name(table.primaryKey)) = \(dialect.placeholder(1))"
  }

  /// Binds the key and the version.
  func deletion(_ entity: SQLEntity) -> String {
    "DELETE FROM \(name(entity.table.name)) \(condition(entity.table, from: 0))"
  }

  /// A row that another connection has written has another version. Rows of other programs may have no version.
  private func condition(_ table: SQLTable, from count: Int) -> String {
    "WHERE \(name(table.primaryKey)) = \(dialect.placeholder(count + 1)) "
      + "AND COALESCE(\(name(table.versionColumn)), 0) = \(dialect.placeholder(count + 2))"
  }

  /// Binds the version, and the keys of so many rows that have it.
  func deletion(_ entity: SQLEntity, rows: Int) -> String {
    let keys = (0..<rows).map { dialect.placeholder($0 + 2) }.joined(separator: ", ")
    return "DELETE FROM \(name(entity.table.name)) "
      + "WHERE COALESCE(\(name(entity.table.versionColumn)), 0) = \(dialect.placeholder(1)) "
      + "AND \(name(entity.table.primaryKey)) IN (\(keys))"
  }

  /// Binds the key of a row whose derived texts are to be computed.
  ///
  /// - Throws: an error when the database has no function for one of them.
  func derivation(_ entity: SQLEntity) throws -> String {
    var writer = SQLWriter(dialect: dialect)
    writer.write("UPDATE \(name(entity.table.name))")
    var word = " SET "
    for text in entity.derivedTexts {
      writer.write("\(word)\(name(text.column)) = ")
      try dialect.writeTextFunction(text.function, of: { $0.write(name(text.source)) }, to: &writer)
      word = ", "
    }
    writer.write(" WHERE \(name(entity.table.primaryKey)) = \(dialect.placeholder(1))")
    return writer.sql
  }

  // MARK: - Looking up

  /// Binds the slots, and finds the key of the row that has these values.
  package func keyLookup(_ entity: SQLEntity, slots: [Int]) -> String {
    let columns = slots.flatMap { names(of: entity.slots[$0]) }
    return lookup([entity.table.primaryKey], of: entity.table.name, by: columns)
  }

  /// Binds a value for each of the columns of the condition, and finds columns of the rows that have these values.
  func lookup(_ columns: [String], of table: String, by condition: [String]) -> String {
    let conditions = condition.enumerated().map { "\(name($1)) = \(dialect.placeholder($0 + 1))" }
    return "SELECT \(columns.map(name).joined(separator: ", ")) FROM \(name(table)) "
      + "WHERE \(conditions.joined(separator: " AND "))"
  }

  // MARK: - Relationships

  /// Binds the keys of both columns, row by row.
  func linkInsertion(_ table: SQLJoinTable, rows: Int = 1) -> String {
    let values = (0..<rows).map { row in "(\(dialect.placeholder(2 * row + 1)), \(dialect.placeholder(2 * row + 2)))" }
    return dialect.insertionOfMissing(
      into: table.name,
      columns: [table.first.name, table.second.name],
      rows: "VALUES \(values.joined(separator: ", "))"
    )
  }

  /// Binds the keys of both columns.
  func linkDeletion(_ table: SQLJoinTable) -> String {
    "DELETE FROM \(name(table.name)) WHERE \(name(table.first.name)) = \(dialect.placeholder(1)) "
      + "AND \(name(table.second.name)) = \(dialect.placeholder(2))"
  }

  /// Binds one key: removes the row from a relationship.
  func linksDeletion(_ table: String, column: String) -> String {
    "DELETE FROM \(name(table)) WHERE \(name(column)) = \(dialect.placeholder(1))"
  }

  /// Binds a place in the order, the key of the source and the key of the destination.
  func linkOrder(_ join: SQLJoin, column: String) -> String {
    "UPDATE \(name(join.table.name)) SET \(name(column)) = \(dialect.placeholder(1)) "
      + "WHERE \(name(join.source)) = \(dialect.placeholder(2)) AND \(name(join.target)) = \(dialect.placeholder(3))"
  }

  /// Binds a value, the key of a row, and nothing else.
  func assignment(_ table: SQLTable, column: String) -> String {
    "UPDATE \(name(table.name)) SET \(name(column)) = \(dialect.placeholder(1)) "
      + "WHERE \(name(table.primaryKey)) = \(dialect.placeholder(2))"
  }

  /// Binds the key of a row and the value that is replaced by null.
  func removal(_ table: SQLTable, column: String) -> String {
    "UPDATE \(name(table.name)) SET \(name(column)) = NULL "
      + "WHERE \(name(table.primaryKey)) = \(dialect.placeholder(1)) AND \(name(column)) = \(dialect.placeholder(2))"
  }

  /// Binds the value that is replaced by null in all rows.
  func removal(ofAll table: SQLTable, column: String) -> String {
    "UPDATE \(name(table.name)) SET \(name(column)) = NULL WHERE \(name(column)) = \(dialect.placeholder(1))"
  }

  private func names(of slot: SQLSlot?) -> [String] { slot?.columns ?? [] }

  private func name(_ name: String) -> String { dialect.identifier(name) }
}

/// The way in which a batch insertion resolves a conflict with a row that has the same unique values.
package enum SQLConflictResolution {
  /// It is an error.
  case fail
  /// The existing row is unchanged.
  case ignore
  /// The other row takes the values of these slots.
  case assign([Int])
}
