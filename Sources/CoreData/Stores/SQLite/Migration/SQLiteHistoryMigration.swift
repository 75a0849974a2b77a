import Foundation
import GRDB

/// Lets the history of a store speak of the new model: it names entities by their numbers, changed
/// properties by bits, and has values of deleted objects by their places.
struct SQLiteHistoryMigration {
  let map: SQLMigrationMap

  private static let columnsFunction = "perennial_history_columns"

  /// - Parameter catalog: what the database had before the migration.
  func run(_ database: Database, catalog: SQLCatalog) throws {
    guard catalog.table("ACHANGE") != nil else { return }
    try SQLiteHistoryTables.create(in: database, catalog, schema: map.new)
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

  /// The entities with what they were.
  private var pairs: [(entity: SQLEntity, source: SQLEntity)] {
    map.new.entities.compactMap { entity in map.source(of: entity).map { (entity, $0) } }
  }

  private func moveBits(_ database: Database) throws {
    let moves = Dictionary(pairs.map { ($0.entity.number, bits(of: $0.entity, $0.source)) }) { first, _ in
      first
    }
    let function = DatabaseFunction(Self.columnsFunction, argumentCount: 2) { values in
      guard let number = Int64.fromDatabaseValue(values[0]), let bits = Data.fromDatabaseValue(values[1])
      else {
        return nil
      }
      return moves[number]?(bits) ?? bits
    }
    database.add(function: function)
    defer { database.remove(function: function) }
    try database.execute(
      sql: "UPDATE ACHANGE SET ZCOLUMNS = \(Self.columnsFunction)(ZENTITY, ZCOLUMNS) WHERE ZCOLUMNS NOT NULL"
    )
  }

  /// Turns the bits of an entity's former properties into those of what became of them.
  private func bits(of entity: SQLEntity, _ source: SQLEntity) -> @Sendable (Data) -> Data {
    let (former, current) = (HistoryColumns(source), HistoryColumns(entity))
    var places: [String: EntityLayout.Place] = [:]
    for (name, place) in entity.layout.places {
      guard let old = map.formerPlace(of: name, in: entity) else { continue }
      switch old.place {
      case .slot(let slot): places[source.layout.slots[slot].name] = place
      case .toMany(let index): places[source.layout.toMany[index].name] = place
      }
    }
    let layout = source.layout
    return { [places] bits in
      var slots: [Int] = []
      var toMany: [Int] = []
      for property in former.properties(bits, of: layout) {
        switch places[property.name] {
        case .slot(let slot): slots.append(slot)
        case .toMany(let index): toMany.append(index)
        case nil: continue
        }
      }
      return current.bits(slots: slots, toMany: toMany)
    }
  }

  private func moveTombstones(_ database: Database) throws {
    let count = try database.columns(in: "ACHANGE").filter { $0.name.uppercased().hasPrefix("ZTOMBSTONE") }
      .count
    guard count > 0 else { return }
    for (entity, source) in pairs {
      let former = HistoryColumns.preserved(source)
      let sources = HistoryColumns.preserved(entity).map { value -> Int? in
        let slot = entity.layout.slots[value.slot]
        guard let old = map.formerPlace(of: slot.name, in: entity), case .slot(let place) = old.place,
          let path = Self.formerPath(of: value.path, source.layout.slots[place].attribute, slot.attribute)
        else { return nil }
        return former.firstIndex { $0.slot == place && $0.path == path }
      }
      if sources == Array(former.indices) { continue }
      let values = (0..<count).map { index in
        let source = sources.indices.contains(index) ? sources[index] : nil
        return "ZTOMBSTONE\(index) = \(source.map { "ZTOMBSTONE\($0)" } ?? "NULL")"
      }
      try database.execute(
        sql: "UPDATE ACHANGE SET \(values.joined(separator: ", ")) WHERE ZENTITY = \(entity.number)"
      )
    }
  }

  /// The path that an element of a composite attribute had in the older version of it.
  private static func formerPath(
    of path: [String],
    _ former: NSAttributeDescription?,
    _ attribute: NSAttributeDescription?
  ) -> [String]? {
    if path.isEmpty { return [] }
    guard let former = former as? NSCompositeAttributeDescription,
      let attribute = attribute as? NSCompositeAttributeDescription
    else { return nil }
    let leaves = CompositeCorrespondence(from: former, to: attribute).leaves
    return leaves.first { $0.element.path == path }?.former?.path
  }
}
