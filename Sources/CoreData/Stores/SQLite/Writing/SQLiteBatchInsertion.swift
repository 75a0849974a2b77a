import Foundation
import SQLiteDriver

/// Inserts the rows of a batch, one prepared statement for all that give the same slots.
final class SQLiteBatchInsertion {
  private let insertion: BatchInsertion
  private let session: SQLiteWriteSession
  private let entity: SQLEntity
  private let slots: [Int]
  /// The uniqueness constraints of the entity's table.
  private let constraints: [SQLConstraint]
  private var outcome = BatchOutcome()
  private var writers: [[Int]: SQLiteRowWriter] = [:]
  /// The writer that was used last, and its slots.
  private var last: (slots: [Int], writer: SQLiteRowWriter)?

  /// The number of rows that get their keys together.
  private static let rowsPerReservation = 1000

  init(insertion: BatchInsertion, session: SQLiteWriteSession) throws {
    self.insertion = insertion
    self.session = session
    let entity = try session.engine.schema.entity(insertion.layout.entity)
    self.entity = entity
    slots = entity.slots.indices.filter { entity.slots[$0] != nil && entity.layout.slots[$0].attribute != nil }
    constraints = session.engine.schema.constraints.filter { $0.table == entity.table.name }
  }

  func run() throws -> BatchOutcome {
    while true {
      let rows = try nextRows()
      if rows.isEmpty { break }
      let first = try session.reserveKeys(rows.count, root: entity.layout.rootNumber)
      for (index, row) in rows.enumerated() { try insert(row, key: first + Int64(index)) }
    }
    try session.flush()
    return outcome
  }

  private func nextRows() throws -> [BatchRow] {
    var rows: [BatchRow] = []
    while rows.count < Self.rowsPerReservation, let row = try insertion.next() { rows.append(row) }
    return rows
  }

  private func insert(_ row: BatchRow, key: Int64) throws {
    let resolution = resolution(of: row)
    let writer = try writer(for: row, resolution: resolution)
    writer.bind(key, at: 1)
    writer.bind(entity.number, at: 2)
    writer.bind(1, at: 3)
    if !constraints.isEmpty { try recordOldFiles(of: row, resolution: resolution) }
    _ = try writer.bind(row.row, from: 4)
    do {
      if case .fail = resolution {
        _ = try writer.run()
        session.references.count(
          key,
          entityNumber: entity.number,
          isWanted: insertion.wantsReferences,
          in: &outcome
        )
        try session.derivation.update(key, entity: entity)
        try session.history?.insertion(of: key, entity: entity)
      } else if let stored = try writer.runReturningKey() {
        session.references.count(
          stored.key,
          entityNumber: stored.entity,
          isWanted: insertion.wantsReferences,
          in: &outcome
        )
        guard let entity = session.engine.schema.entity(storeNumber: stored.entity) else { return }
        try session.derivation.update(stored.key, entity: entity)
        try tell(of: stored.key, storedEntity: entity, insertedAs: key, resolution: resolution)
      }
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      throw SQLiteBrokenConstraint(error: error, schema: session.engine.schema)
        .failure(row.row, layout: insertion.layout, file: session.store.file)
    }
  }

  /// Tells the history of an insertion, or of a row that was there already and was changed.
  private func tell(
    of stored: Int64,
    storedEntity: SQLEntity,
    insertedAs key: Int64,
    resolution: SQLConflictResolution
  ) throws {
    if stored == key {
      try session.history?.insertion(of: key, entity: entity)
    } else if case .assign(let slots) = resolution {
      try session.history?.update(of: stored, entity: storedEntity, slots: slots)
    }
  }

  private func resolution(of row: BatchRow) -> SQLConflictResolution {
    if constraints.isEmpty { return .fail }
    return switch insertion.mergeType {
    case .errorMergePolicyType: .fail
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .ignore
    case .mergeByPropertyObjectTrumpMergePolicyType: .assign(row.given)
    case .overwriteMergePolicyType: .assign(slots)
    }
  }

  private func writer(for row: BatchRow, resolution: SQLConflictResolution) throws -> SQLiteRowWriter {
    let key: [Int] = if case .assign(let assigned) = resolution { assigned } else { [] }
    if let last, last.slots == key { return last.writer }
    let writer = try writers[key] ?? makeWriter(resolution)
    writers[key] = writer
    last = (key, writer)
    return writer
  }

  private func makeWriter(_ resolution: SQLConflictResolution) throws -> SQLiteRowWriter {
    try SQLiteRowWriter(
      sql: session.statements.insertion(entity, slots: slots, resolving: resolution, of: constraints),
      entity: entity,
      slots: slots,
      session: session
    )
  }

  /// Records the files that the row in the store names, and will not name any more.
  private func recordOldFiles(of row: BatchRow, resolution: SQLConflictResolution) throws {
    guard case .assign(let assigned) = resolution else { return }
    let columns = session.externalColumns(entity, slots: assigned)
    if columns.isEmpty { return }
    for constraint in constraints {
      guard let statement = try holderQuery(columns, constraint: constraint, row: row) else { continue }
      try session.recordOldFiles(statement)
    }
  }

  /// The query for the row with the same unique values; `nil` where the new row lacks one of them.
  private func holderQuery(_ columns: [String], constraint: SQLConstraint, row: BatchRow) throws
    -> SQLStatement?
  {
    var values: [SQLValue] = []
    for name in constraint.properties {
      guard case .slot(let slot)? = entity.layout.places[name], row.row.hasValue(slot) else { return nil }
      let description = entity.layout.slots[slot]
      values.append(try session.binding(row.row.value(slot), as: SQLRowPlan.content(description), slot: description))
    }
    return SQLStatement(
      sql: session.statements.lookup(columns, of: constraint.table, by: constraint.columns),
      bindings: values
    )
  }
}
