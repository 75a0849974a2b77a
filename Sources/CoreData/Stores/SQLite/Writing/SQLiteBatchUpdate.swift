import CSystemSQLite
import Foundation
import SQLiteDriver

/// Changes what a query finds by one statement.
struct SQLiteBatchUpdate {
  let update: BatchUpdate
  let session: SQLiteWriteSession

  private var engine: SQLiteStore.Engine { session.engine }

  func run() throws -> BatchOutcome {
    let plan = try SQLBatchUpdate(
      try session.reader.answerable(update.query, on: session.queries),
      schema: engine.schema,
      store: session.store.index,
      // A condition with decimal numbers has been answered.
      dialect: SQLiteDialect(roundsDecimals: true)
    )
    let assignments = try update.assignments.map { ($0.slot, try value($0, entity: plan.entity)) }
    try recordOldFiles(plan)
    let derives = changesSources(of: plan.entity)
    let returnsKeys = update.wantsReferences || session.history != nil || derives
    let statement = try plan.statement(assignments, returnsKeys: returnsKeys)
    let query = try SQLiteQuery(statement, in: session.database, isCached: false)
    var outcome = BatchOutcome()
    do {
      guard returnsKeys else {
        outcome.count = try query.run()
        try session.flush()
        return outcome
      }
      var changed: [(key: Int64, entity: Int64)] = []
      try query.forEachRow { row in
        let (key, number) = (sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1))
        session.references.count(key, entityNumber: number, isWanted: update.wantsReferences, in: &outcome)
        changed.append((key, number))
      }
      if derives { try derive(changed) }
      try tell(of: changed)
      try session.flush()
      return outcome
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      throw SQLiteBrokenConstraint(error: error, schema: engine.schema)
        .failure(valuesOfConstants(), layout: update.query.entity.layout, file: session.store.file)
    }
  }

  /// True when a derived text of the entity, or of a subentity, depends on a changed attribute.
  private func changesSources(of entity: SQLEntity) -> Bool {
    let changed = update.assignments.compactMap { entity.slots[$0.slot]?.column }
    let family = update.query.layouts.compactMap { engine.schema.entity(modelNumber: $0.number) }
    return family.contains { $0.derivedTexts.contains { changed.contains($0.source) } }
  }

  private func derive(_ changed: [(key: Int64, entity: Int64)]) throws {
    for (key, number) in changed {
      if let entity = engine.schema.entity(storeNumber: number) { try session.derivation.update(key, entity: entity) }
    }
  }

  /// Tells the history of the rows. The slots of an entity are those of its subentities by name, not by number.
  private func tell(of changed: [(key: Int64, entity: Int64)]) throws {
    guard let history = session.history else { return }
    let layout = update.query.entity.layout
    let names = update.assignments.map { layout.slots[$0.slot].name }
    var columns: [Int64: Data] = [:]
    for (key, number) in changed {
      guard let entity = engine.schema.entity(storeNumber: number) else { continue }
      let bits =
        columns[number]
        ?? history.columns(
          entity,
          slots: entity.layout.slots.indices.filter { names.contains(entity.layout.slots[$0].name) }
        )
      columns[number] = bits
      try history.update(of: key, entity: entity, columns: bits)
    }
  }

  private func value(_ assignment: BatchUpdate.Assignment, entity: SQLEntity) throws -> SQLBatchUpdate.Value {
    switch assignment.value {
    case .expression(let expression): return .expression(expression)
    case .constant(.reference(let reference)):
      let permanent = try session.references.permanentReference(
        for: reference,
        from: entity.layout,
        slot: assignment.slot
      )
      return .constant(.integer(permanent.key), entity: .integer(try session.references.entityNumber(of: permanent)))
    case .constant(let constant):
      let slot = entity.layout.slots[assignment.slot]
      return .constant(try session.binding(constant, as: SQLRowPlan.content(slot), slot: slot))
    }
  }

  private func recordOldFiles(_ plan: SQLBatchUpdate) throws {
    let columns = session.externalColumns(plan.entity, slots: update.assignments.map(\.slot))
    if !columns.isEmpty { try session.recordOldFiles(plan.rows(columns)) }
  }

  /// The constants of the update as a row, which the error of a broken constraint names.
  private func valuesOfConstants() -> Row {
    let row = Row(layout: update.query.entity.layout)
    for assignment in update.assignments {
      if case .constant(let value) = assignment.value { row.set(value, slot: assignment.slot) }
    }
    return row
  }
}
