import Foundation
import GRDB

/// What a deferred migration left: tables that were set aside, and columns that nothing uses.
struct SQLiteMigrationCleanup {
  /// The schema of the store as it is.
  let schema: SQLSchema
  let file: URL

  /// Does one piece of the work: drops a table that was set aside, or frees a table of columns.
  ///
  /// - Returns: whether there is more to do.
  func runNext(_ database: Database) throws -> Bool {
    let content = try SQLiteContent(database, file: file)
    let aside = content.catalog.tables.values.map(\.name)
      .filter { $0.hasPrefix(SQLiteMigrationPlanner.asidePrefix) }.sorted()
    if let table = aside.first {
      try database.execute(sql: "DROP TABLE \(SQLiteDialect().identifier(table))")
      if aside.count > 1 { return true }
    } else {
      try freeTables(database, content.catalog)
      return false
    }
    return schema.tables.contains { hasUnusedColumns($0, content.catalog) }
  }

  func runAll(_ database: Database) throws {
    while try runNext(database) {}
  }

  private func hasUnusedColumns(_ table: SQLTable, _ catalog: SQLCatalog) -> Bool {
    let wanted = Set(table.columns.map { $0.name.uppercased() } + ["Z_PK", "Z_ENT", "Z_OPT"])
    return catalog.table(table.name)?.columns.contains { !wanted.contains($0.uppercased()) } ?? false
  }

  /// A migration to the same model makes the tables anew that have columns too many.
  private func freeTables(_ database: Database, _ catalog: SQLCatalog) throws {
    let plan = try SQLiteMigrationPlanner.plan(
      SQLiteMigrationMap(
        old: schema,
        new: SQLSchemaBuilder.build(model: schema.model, entities: schema.entities.map(\.entity))
      ),
      database: SQLiteMigrationSource(database),
      catalog: catalog
    )
    _ = try plan.run(in: database, file: file, MigrationLog(file))
  }
}
