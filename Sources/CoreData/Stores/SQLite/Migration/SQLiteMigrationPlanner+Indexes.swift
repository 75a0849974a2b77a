import Foundation

extension SQLiteMigrationPlanner {
  /// Drops the indexes that are not wanted or whose table goes, and all triggers of derived attributes, which would
  /// run on every row.
  mutating func dropTriggersAndIndexes() {
    for trigger in database.derivationTriggers { plan.run("DROP TRIGGER \(name(trigger.name))") }
    for index in database.indexes where isOurs(index.table) && !isKept(index) {
      plan.run("DROP INDEX \(name(index.name))")
    }
  }

  /// Makes the indexes that are not there yet, and the triggers again that still fit.
  mutating func makeIndexesAndTriggers() {
    let kept = Set(database.indexes.filter { isOurs($0.table) && isKept($0) }.map { $0.name.uppercased() })
    for index in wantedIndexes where !kept.contains(index.name.uppercased()) { plan.run(index.sql) }
    for trigger in database.derivationTriggers where isFitting(trigger) { plan.run(trigger.sql) }
  }

  private func isOurs(_ table: String) -> Bool {
    (map.old.tables.map(\.name) + map.old.joinTables.map(\.name)).contains {
      $0.uppercased() == table.uppercased()
    }
  }

  private func isKept(_ index: SQLiteMigrationSource.Part) -> Bool {
    !replaced.contains(index.table.uppercased())
      && wantedIndexes.contains { $0.name == index.name && $0.sql == index.sql }
  }

  private var wantedIndexes: [(name: String, sql: String)] {
    map.new.indexes.map { ($0.name, SQLSchema.creation(of: $0, dialect)) }
      + map.new.joinTables.map { join in
        (
          SQLNames.joinIndex(table: join.name, column: join.second.name),
          SQLSchema.indexCreation(of: join, dialect)
        )
      }
  }

  /// Whether a trigger keeps an attribute that is derived as before, and names tables and columns that are there: a
  /// trigger that does not would stop every change of its table.
  private func isFitting(_ trigger: SQLiteMigrationSource.Part) -> Bool {
    let known = Set(
      map.new.tables.flatMap { [$0.name] + $0.columns.map(\.name) } + ["Z_PK", "Z_ENT", "Z_OPT"]
    )
    let body = trigger.sql.replacingOccurrences(of: trigger.name, with: "")
    let words = body.split { !($0.isLetter || $0.isNumber || $0 == "_") }.filter { $0.hasPrefix("Z") }
    return words.allSatisfy { known.contains($0.uppercased()) }
      && map.new.entities.contains { entity in
        entity.entity.attributesByName.values.contains { attribute in
          trigger.name.contains("_\(entity.entity.name ?? "")_\(attribute.name)_")
            && isDerivedAsBefore(attribute, of: entity)
        }
      }
  }

  private func isDerivedAsBefore(_ attribute: NSAttributeDescription, of entity: SQLEntity) -> Bool {
    guard let attribute = attribute as? NSDerivedAttributeDescription,
      let former = map.formerPlace(of: attribute.name, in: entity), case .slot(let slot) = former.place,
      let before = former.entity.layout.slots[slot].attribute as? NSDerivedAttributeDescription
    else { return false }
    return former.entity.entity.name == entity.entity.name && before.name == attribute.name
      && before.derivationExpression == attribute.derivationExpression
  }
}
