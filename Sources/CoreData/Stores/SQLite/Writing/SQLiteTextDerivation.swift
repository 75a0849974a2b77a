import GRDB

/// Computes the derived attributes of single rows that no trigger computes.
final class SQLiteTextDerivation {
  private let statements: SQLRowStatements
  private let database: Database
  /// The statement of each entity that has been asked for, by its number in the store.
  private var prepared: [Int64: SQLiteIntegerStatement] = [:]

  init(statements: SQLRowStatements, database: Database) {
    self.statements = statements
    self.database = database
  }

  func update(_ key: Int64, _ entity: SQLEntity) throws {
    if entity.derivedTexts.isEmpty { return }
    let statement =
      try prepared[entity.number] ?? SQLiteIntegerStatement(statements.derivation(entity), in: database)
    prepared[entity.number] = statement
    try statement.run(key)
  }
}
