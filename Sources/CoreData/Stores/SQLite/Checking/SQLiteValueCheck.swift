import CSystemSQLite
import Foundation
import SQLiteDriver

/// Reads every value of every row, and the files that rows name.
struct SQLiteValueCheck {
  let engine: SQLiteStore.Engine
  let database: Database

  func findings() throws -> [StoreFinding] { try values() + missingFiles() + unnamedFiles() }

  private var dialect: SQLiteDialect { engine.dialect }

  // MARK: - Values

  /// The first row of each table that cannot be read; reading stops at it.
  private func values() throws -> [StoreFinding] {
    try engine.schema.tables.compactMap { table in
      guard let root = engine.schema.entities.first(where: { $0.entity === table.root }) else { return nil }
      let plan = engine.plans.plan(root, includesSubentities: true)
      if plan.shapes.isEmpty { return nil }
      let numbers = plan.shapes.map { String($0.entity.number) }.joined(separator: ", ")
      let query = SQLStatement(
        sql: """
          SELECT \(plan.columns.map(dialect.identifier).joined(separator: ", ")) \
          FROM \(dialect.identifier(table.name)) WHERE Z_ENT IN (\(numbers))
          """
      )
      var reader = SQLRowReader<SQLiteRow>(engine.reader(0), plan: plan)
      do {
        try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
          guard let row = try reader.read(SQLiteRow(statement: row)).row, let failure = Self.failure(of: row)
          else { return }
          throw failure.error
        }
        return nil
      } catch let error as DatabaseError {
        throw error
      } catch {
        let problem = (error as NSError).localizedDescription
        return StoreFinding(kind: .value, problem: problem, remedy: "set the value anew, or delete the row")
      }
    }
  }

  /// The reason for which a value of a row cannot be read. A missing file has a finding of its own.
  private static func failure(of row: Row) -> ValueFailure? {
    row.failures.first { slot, failure in
      guard case .externalData = SQLRowPlan.content(row.layout.slots[slot]) else { return true }
      return (failure.error as NSError).code == CocoaError.fileReadNoPermission.rawValue
    }?
    .failure
  }

  // MARK: - External data

  /// A row and the file that it names.
  private struct Reference {
    let table: String
    let column: String
    let key: Int64
    let name: String
    let isOptional: Bool
  }

  private func references() throws -> [Reference] {
    var found: [Reference] = []
    for (table, column, isOptional) in externalColumns {
      let query = SQLStatement(
        sql: "SELECT Z_PK, \(dialect.identifier(column)) FROM \(dialect.identifier(table)) "
          + "WHERE typeof(\(dialect.identifier(column))) = 'blob'"
      )
      try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
        let cell = SQLiteCell(statement: row, column: 1)
        guard let name = ExternalDataFolder.fileName(try cell.bytes()) else { return }
        let key = sqlite3_column_int64(row, 0)
        found.append(Reference(table: table, column: column, key: key, name: name, isOptional: isOptional))
      }
    }
    return found
  }

  private var externalColumns: [(table: String, column: String, isOptional: Bool)] {
    engine.schema.entities.flatMap { entity in
      entity.layout.slots.indices.compactMap { number in
        guard let attribute = entity.layout.slots[number].attribute, attribute.entity === entity.entity,
          SQLRowPlan.content(entity.layout.slots[number]) == .externalData, let slot = entity.slots[number]
        else { return nil }
        return (entity.table.name, slot.column, attribute.isOptional)
      }
    }
  }

  private func missingFiles() throws -> [StoreFinding] {
    // If the folder cannot be read, its files are unknown: the check does not report missing files
    // and does not clear values.
    let present = Set(try engine.external.readNames())
    return try references().filter { !present.contains($0.name) }.map { reference in
      StoreFinding(
        kind: .externalData,
        problem: """
          \(reference.table): \(reference.column) of the row \(reference.key) names the file \(reference.name), which \
          is not in \(engine.external.support.lastPathComponent), or is not a regular file there
          """,
        remedy: "clear the value; to keep it, bring the file back from a copy first",
        repair: .statements([clearing(reference)])
      )
    }
  }

  /// The statement that clears the value, or sets it to an empty one if a value is required. It
  /// also changes the row's version, so that other connections notice the change.
  private func clearing(_ reference: Reference) -> String {
    let (table, column) = (dialect.identifier(reference.table), dialect.identifier(reference.column))
    return """
      UPDATE \(table) SET \(column) = \(reference.isOptional ? "NULL" : "x'01'"), Z_OPT = Z_OPT + 1 \
      WHERE Z_PK = \(reference.key) AND substr(\(column), 2, 36) = CAST('\(reference.name)' AS BLOB)
      """
  }

  /// The names of the files that no row names.
  func unnamedNames() throws -> [String] {
    let present = engine.external.names
    if present.isEmpty { return [] }
    let named = Set(try references().map(\.name))
    return present.filter { !named.contains($0) }
  }

  private func unnamedFiles() throws -> [StoreFinding] {
    let unnamed = try unnamedNames()
    if unnamed.isEmpty { return [] }
    if let sharer = engine.external.sharers.first {
      return [
        StoreFinding(
          kind: .externalData,
          problem: """
            \(engine.external.support.lastPathComponent) belongs to \(sharer.lastPathComponent) too, so that the files \
            that no row names here cannot be told from those of that store
            """,
          remedy: "move one of the stores to another folder, with a copy of the files"
        )
      ]
    }
    return [
      StoreFinding(
        kind: .externalData,
        problem: """
          \(engine.external.support.lastPathComponent): no row names the \(unnamed.count == 1 ? "file" : "files") \
          \(unnamed.prefix(10).joined(separator: ", "))\(unnamed.count > 10 ? " and more" : "")
          """,
        remedy: "remove what no row names",
        repair: .removeFiles(unnamed)
      )
    ]
  }
}
