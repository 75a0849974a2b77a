import CSystemSQLite
import SQLiteDriver

/// Writes what a save changes in to-many relationships.
struct SQLiteLinks {
  let session: SQLiteWriteSession

  private var statements: SQLRowStatements { session.statements }

  /// Removes and adds the rows of a join table.
  func write(_ links: SQLSavePlan.Links) throws {
    let removal = try prepared(statements.linkDeletion(links.table))
    for pair in links.removed where pair.first >= 0 && pair.second >= 0 {
      try removal.run(pair.first, second: pair.second)
    }
    // In order, so that equal saves make equal files, and the index grows at its end.
    let added = try links.added.map {
      SQLPair(
        first: try session.references.permanentKey(of: $0.first),
        second: try session.references.permanentKey(of: $0.second)
      )
    }
    try add(added.sorted()[...], to: links.table)
  }

  private func add(_ pairs: ArraySlice<SQLPair>, to table: SQLJoinTable) throws {
    var pairs = pairs
    if pairs.count >= Self.pairsAtOnce {
      let addition = try prepared(statements.linkInsertion(table, rows: Self.pairsAtOnce))
      while pairs.count >= Self.pairsAtOnce {
        try addition.run(pairs.prefix(Self.pairsAtOnce))
        pairs = pairs.dropFirst(Self.pairsAtOnce)
      }
    }
    let addition = try prepared(statements.linkInsertion(table))
    for pair in pairs { try addition.run(pair.first, second: pair.second) }
  }

  /// To run a statement takes SQLite longer than to write the two numbers of a pair.
  private static let pairsAtOnce = 64

  /// Sets the foreign keys that no to-one relationship sets.
  func write(_ keys: SQLSavePlan.OwnedKeys) throws {
    let (table, column) = (keys.foreignKey.table, keys.foreignKey.column)
    let source = try session.references.permanentKey(of: keys.source)
    let removal = try prepared(statements.removal(table, column: column))
    for key in keys.removed where key >= 0 { try removal.run(key, second: source) }
    let addition = try prepared(statements.assignment(table, column: column))
    for key in keys.added { try addition.run(source, second: session.references.permanentKey(of: key)) }
  }

  /// Writes the places of destinations whose order changed.
  func write(_ order: SQLSavePlan.Order) throws {
    let moved = try SQLLinkOrder(
      order,
      references: session.references,
      statements: statements,
      on: session.queries
    )
    guard let moved else { return }
    switch moved.column {
    case .foreignKey(let key, let column):
      let update = try prepared(statements.assignment(key.table, column: column))
      for (key, place) in moved.changes { try update.run(place, second: key) }
    case .join(let join, let column):
      let update = try prepared(statements.linkOrder(join, column: column))
      for (key, place) in moved.changes { try update.run(place, second: moved.source, third: key) }
    }
  }

  /// The statements that take a deleted object of an entity out of join tables, and out of foreign
  /// keys that no to-one relationship has. Each binds the object's key.
  func removals(_ entity: SQLEntity) throws -> [SQLiteIntegerStatement] {
    try entity.toMany.flatMap { relationship in
      switch relationship {
      case .join(let join):
        let columns = join.isOwnInverse ? [join.source, join.target] : [join.source]
        return try columns.map { try prepared(statements.linksDeletion(join.table.name, column: $0)) }
      case .foreignKey(let foreignKey) where foreignKey.isOwned:
        return [try prepared(statements.removal(ofAll: foreignKey.table, column: foreignKey.column))]
      case .foreignKey, .transient: return []
      }
    }
  }

  private func prepared(_ sql: String) throws -> SQLiteIntegerStatement {
    try SQLiteIntegerStatement(sql, in: session.database)
  }
}

/// A statement whose parameters are all whole numbers.
struct SQLiteIntegerStatement {
  private let database: Database
  private let statement: Statement

  init(_ sql: String, in database: Database) throws {
    self.database = database
    statement = try database.cachedStatement(sql: sql)
  }

  func run(_ first: Int64, second: Int64? = nil, third: Int64? = nil) throws {
    let raw = statement.sqliteStatement
    sqlite3_bind_int64(raw, 1, first)
    if let second { sqlite3_bind_int64(raw, 2, second) }
    if let third { sqlite3_bind_int64(raw, 3, third) }
    try step(raw)
  }

  func run(_ pairs: ArraySlice<SQLPair>) throws {
    let raw = statement.sqliteStatement
    var parameter: Int32 = 1
    for pair in pairs {
      sqlite3_bind_int64(raw, parameter, pair.first)
      sqlite3_bind_int64(raw, parameter + 1, pair.second)
      parameter += 2
    }
    try step(raw)
  }

  private func step(_ raw: OpaquePointer) throws {
    let code = sqlite3_step(raw)
    defer { sqlite3_reset(raw) }
    guard code == SQLITE_DONE else { throw database.failure(code, sql: statement.sql) }
  }
}
