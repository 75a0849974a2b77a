extension SQLMigrationPlanner {
  /// Drops the indexes that are not wanted or whose table goes, and all triggers of derived
  /// attributes, which would run on every row.
  mutating func dropTriggersAndIndexes() {
    for trigger in database.derivationTriggers { plan.run(dialect.triggerRemoval(trigger)) }
    for index in database.indexes where isOurs(index.table) && !isUnchanged(index) {
      plan.run("DROP INDEX \(name(index.name))")
    }
  }

  /// Creates the indexes that are not there yet, and the triggers.
  mutating func createIndexesAndTriggers() throws {
    let unchanged = Set(
      database.indexes.filter { isOurs($0.table) && isUnchanged($0) }.map { $0.name.uppercased() }
    )
    for index in wantedIndexes where !unchanged.contains(index.name.uppercased()) { plan.run(index.sql) }
    for trigger in try dialect.triggers(of: map.new) { plan.run(trigger) }
  }

  private func isOurs(_ table: String) -> Bool {
    (map.old.tables.map(\.name) + map.old.joinTables.map(\.name)).contains {
      $0.uppercased() == table.uppercased()
    }
  }

  private func isUnchanged(_ index: SQLMigrationSource.Part) -> Bool {
    !replaced.contains(index.table.uppercased())
      && wantedIndexes.contains { $0.name == index.name && $0.sql == index.sql }
  }

  private var wantedIndexes: [(name: String, sql: String)] {
    map.new.indexes.map { ($0.name, SQLSchema.creation(of: $0, dialect)) }
      + map.new.joinTables.map { join in
        (join.index, SQLSchema.indexCreation(of: join, dialect))
      }
  }
}
