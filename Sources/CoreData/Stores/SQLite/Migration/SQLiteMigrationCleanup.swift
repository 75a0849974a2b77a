import Foundation
import ModelFormats
import SQLiteDriver

/// Removes the remains of a deferred migration: tables that were set aside, and unused columns.
struct SQLiteMigrationCleanup {
  /// The schema of the store as it is.
  let schema: SQLSchema
  let file: URL
  private let dialect = SQLiteDialect()

  /// Does one piece of the work: drops a table that was set aside, or frees a table of columns.
  ///
  /// - Returns: true when there is more to do.
  func runNext(_ database: Database) throws -> Bool {
    let content = try SQLiteContent(database, file: file)
    let aside = content.catalog.tables.values.map(\.name)
      .filter { $0.hasPrefix(dialect.asidePrefix) }.sorted()
    if let table = aside.first {
      try database.execute(sql: "DROP TABLE \(dialect.identifier(table))")
      if aside.count > 1 { return true }
    } else {
      try freeTables(database, catalog: content.catalog)
      return false
    }
    return schema.tables.contains {
      !content.catalog.unusedColumns(of: $0, rowColumns: SQLiteSystemTables.rowColumns).isEmpty
    }
  }

  func runAll(_ database: Database) throws {
    while try runNext(database) {}
  }

  /// A migration to the same model recreates the tables that have superfluous columns.
  private func freeTables(_ database: Database, catalog: SQLCatalog) throws {
    try SQLiteSchemaRebuild(schema: schema, catalog: catalog, file: file).run(
      database,
      keeping: SQLFormerJoins(schema: schema, correspondence: SQLiteSchemaRebuild.identity(of: schema.model))
    )
  }
}
