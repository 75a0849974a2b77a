/// The statements that write rows, each to be prepared once and bound for many rows.
struct SQLRowStatements {
  let dialect: any SQLDialect

  /// Binds key, entity and version, then the slots; a to-one relationship that tells the entity of its destination
  /// binds twice.
  func insertion(_ entity: SQLEntity, slots: [Int]) -> String {
    let columns =
      [SQLNames.primaryKey, SQLNames.entity, SQLNames.version] + slots.flatMap { names(of: entity.slots[$0]) }
    return "INSERT INTO \(name(entity.table.name)) (\(columns.map(name).joined(separator: ", "))) "
      + "VALUES (\(columns.indices.map { dialect.placeholder($0 + 1) }.joined(separator: ", ")))"
  }

  /// An insertion that binds like `insertion(_:slots:)`, and returns key and entity of the row that it made or changed.
  func insertion(_ entity: SQLEntity, slots: [Int], resolving resolution: SQLConflictResolution) -> String {
    let insertion = insertion(entity, slots: slots)
    switch resolution {
    case .fail: return insertion
    case .keep: return "\(insertion) ON CONFLICT DO NOTHING \(returning)"
    case .assign(let assigned):
      let assignments =
        ["\(SQLNames.version) = COALESCE(\(SQLNames.version), 0) + 1"]
        + assigned.flatMap { names(of: entity.slots[$0]) }.map { "\(name($0)) = excluded.\(name($0))" }
      return "\(insertion) ON CONFLICT DO UPDATE SET \(assignments.joined(separator: ", ")) \(returning)"
    }
  }

  private var returning: String { "RETURNING \(SQLNames.primaryKey), \(SQLNames.entity)" }

  /// Binds the new version, the slots, the key and the old version.
  func update(_ entity: SQLEntity, slots: [Int]) -> String {
    let columns = [SQLNames.version] + slots.flatMap { names(of: entity.slots[$0]) }
    let assignments = columns.enumerated().map { "\(name($1)) = \(dialect.placeholder($0 + 1))" }
    return "UPDATE \(name(entity.table.name)) SET \(assignments.joined(separator: ", ")) "
      + condition(from: columns.count)
  }

  /// Binds the key and the version.
  func deletion(_ entity: SQLEntity) -> String {
    "DELETE FROM \(name(entity.table.name)) \(condition(from: 0))"
  }

  /// Binds the slots, and finds the key of the row that has these values.
  func keyLookup(_ entity: SQLEntity, slots: [Int]) -> String {
    let columns = slots.flatMap { names(of: entity.slots[$0]) }
    let conditions = columns.enumerated().map { "\(name($1)) = \(dialect.placeholder($0 + 1))" }
    return "SELECT \(SQLNames.primaryKey) FROM \(name(entity.table.name)) "
      + "WHERE \(conditions.joined(separator: " AND "))"
  }

  /// Binds the key of a row whose derived texts are to be computed.
  func derivation(_ entity: SQLEntity) -> String {
    let assignments = entity.derivedTexts.map {
      "\(name($0.column)) = \(dialect.textFunction($0.function))(\(name($0.source)))"
    }
    return "UPDATE \(name(entity.table.name)) SET \(assignments.joined(separator: ", ")) "
      + "WHERE \(SQLNames.primaryKey) = \(dialect.placeholder(1))"
  }

  /// Binds the keys of both columns, row by row.
  func linkInsertion(_ table: SQLJoinTable, rows: Int = 1) -> String {
    let values = (0..<rows).map { row in
      "(\(dialect.placeholder(2 * row + 1)), \(dialect.placeholder(2 * row + 2)))"
    }
    return
      "INSERT OR IGNORE INTO \(name(table.name)) (\(name(table.first.name)), \(name(table.second.name))) "
      + "VALUES \(values.joined(separator: ", "))"
  }

  /// Binds the keys of both columns.
  func linkDeletion(_ table: SQLJoinTable) -> String {
    "DELETE FROM \(name(table.name)) WHERE \(name(table.first.name)) = \(dialect.placeholder(1)) "
      + "AND \(name(table.second.name)) = \(dialect.placeholder(2))"
  }

  /// Binds one key: removes the row from a relationship.
  func linksDeletion(_ table: String, _ column: String) -> String {
    "DELETE FROM \(name(table)) WHERE \(name(column)) = \(dialect.placeholder(1))"
  }

  /// Binds a value, the key of a row, and nothing else.
  func assignment(_ table: String, _ column: String) -> String {
    "UPDATE \(name(table)) SET \(name(column)) = \(dialect.placeholder(1)) "
      + "WHERE \(SQLNames.primaryKey) = \(dialect.placeholder(2))"
  }

  /// Binds the key of a row and the value that is replaced by null.
  func removal(_ table: String, _ column: String) -> String {
    "UPDATE \(name(table)) SET \(name(column)) = NULL "
      + "WHERE \(SQLNames.primaryKey) = \(dialect.placeholder(1)) AND \(name(column)) = \(dialect.placeholder(2))"
  }

  /// Binds the value that is replaced by null in all rows.
  func removal(ofAll table: String, _ column: String) -> String {
    "UPDATE \(name(table)) SET \(name(column)) = NULL WHERE \(name(column)) = \(dialect.placeholder(1))"
  }

  private func names(of slot: SQLSlot?) -> [String] {
    slot?.columns ?? []
  }

  /// A row that others wrote has another version. Rows that something else made may have none.
  private func condition(from count: Int) -> String {
    "WHERE \(SQLNames.primaryKey) = \(dialect.placeholder(count + 1)) "
      + "AND COALESCE(\(SQLNames.version), 0) = \(dialect.placeholder(count + 2))"
  }

  private func name(_ name: String) -> String { dialect.identifier(name) }
}

/// What becomes of a row whose unique values another row has.
enum SQLConflictResolution {
  /// It is an error.
  case fail
  /// The other row stays as it is.
  case keep
  /// The other row takes the values of these slots.
  case assign([Int])
}
