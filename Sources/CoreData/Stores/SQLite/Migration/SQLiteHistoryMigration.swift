import Foundation
import SQLiteDriver

/// Lets the history of a store speak of the new model: it names entities by their numbers, changed
/// properties by bits, and has values of deleted objects by their places.
struct SQLiteHistoryMigration {
  let map: SQLMigrationMap

  private static let columnsFunction = "perennial_history_columns"

  /// - Parameter catalog: the tables of the database before the migration.
  func run(_ database: Database, catalog: SQLCatalog) throws {
    guard catalog.table("ACHANGE") != nil else { return }
    try SQLiteHistoryTables.create(in: database, catalog: catalog, schema: map.new)
    try forgetRemovedEntities(database)
    try renumber(database)
    try moveBits(database)
    try moveTombstones(database)
  }

  private func forgetRemovedEntities(_ database: Database) throws {
    let removed = map.removed.map { String($0.number) }
    if removed.isEmpty { return }
    try database.execute(sql: "DELETE FROM ACHANGE WHERE ZENTITY IN (\(removed.joined(separator: ", ")))")
  }

  private func renumber(_ database: Database) throws {
    guard map.isRenumbered else { return }
    try database.execute(sql: "UPDATE ACHANGE SET ZENTITY = \(map.renumbering(map.numbers, of: "ZENTITY"))")
  }

  private func moveBits(_ database: Database) throws {
    let moves = Dictionary(HistoryMove.all(map).map { ($0.entity.number, $0) }) { first, _ in first }
    database.addFunction(Self.columnsFunction, argumentCount: 2) { values in
      guard let number = Int64(databaseValue: values[0]), let bits = Data(databaseValue: values[1]) else { return nil }
      return moves[number]?.bits(bits) ?? bits
    }
    defer { database.removeFunction(Self.columnsFunction, argumentCount: 2) }
    try database.execute(
      sql: "UPDATE ACHANGE SET ZCOLUMNS = \(Self.columnsFunction)(ZENTITY, ZCOLUMNS) WHERE ZCOLUMNS NOT NULL"
    )
  }

  private func moveTombstones(_ database: Database) throws {
    let count = try database.columns(in: "ACHANGE").filter { $0.name.uppercased().hasPrefix("ZTOMBSTONE") }
      .count
    guard count > 0 else { return }
    for move in HistoryMove.all(map) {
      let sources = move.tombstones.map(\.former)
      if sources == Array(HistoryColumns.preserved(move.source).indices) { continue }
      let values = (0..<count).map { index in
        let source = sources.indices.contains(index) ? sources[index] : nil
        return "ZTOMBSTONE\(index) = \(source.map { "ZTOMBSTONE\($0)" } ?? "NULL")"
      }
      try database.execute(
        sql: "UPDATE ACHANGE SET \(values.joined(separator: ", ")) WHERE ZENTITY = \(move.entity.number)"
      )
    }
  }
}
