import CSystemSQLite
import Foundation
import SQLiteDriver

/// Writes a change set: the steps of a save.
final class SQLiteSave {
  /// Thrown to roll back the transaction and return an outcome: some rows were changed by other
  /// connections, or have unique values that other rows have.
  struct Unresolved: Error {
    let outcome: CommitOutcome
  }

  /// Thrown to roll back the transaction and save again, row by row. Another connection has changed or
  /// deleted one of several rows that were to be deleted at once, and the statement does not report which.
  struct HasConflicts: Error {}

  private let session: SQLiteWriteSession
  private let isOneByOne: Bool
  private let plan: SQLSavePlan
  private var conflicts: [VersionConflict] = []
  private var violations: [ConstraintViolation] = []
  /// The keys of each group of insertions.
  private var insertedKeys: [[Int64]] = []

  /// - Parameter isOneByOne: true to delete one row at a time, which shows the row with a conflict.
  init(plan: SQLSavePlan, session: SQLiteWriteSession, isOneByOne: Bool) {
    self.plan = plan
    self.session = session
    self.isOneByOne = isOneByOne
  }

  private var statements: SQLRowStatements { session.statements }

  /// - Throws: `Unresolved`, `HasConflicts`, or why the rows cannot be written.
  func run() throws -> CommitOutcome {
    try assignKeys()
    for group in plan.deletions { try delete(group) }
    for group in plan.updates { try emptyUniqueValues(group) }
    for group in plan.updates { try update(group) }
    if !conflicts.isEmpty { throw Unresolved(outcome: .conflicts(conflicts)) }
    for (group, keys) in zip(plan.insertions, insertedKeys) { try insert(group, keys: keys) }
    if !violations.isEmpty { throw Unresolved(outcome: .violations(violations)) }
    try deriveTexts()
    let links = SQLiteLinks(session: session)
    for table in plan.links { try links.write(table) }
    for keys in plan.ownedKeys { try links.write(keys) }
    for order in plan.orders { try links.write(order) }
    try session.flush()
    return .saved(
      permanentReferences: session.references.permanent ?? [:],
      transactions: session.history?.number.map { [session.store.identifier: $0] } ?? [:]
    )
  }

  // MARK: - Keys

  private func assignKeys() throws {
    let assigned = try plan.assignKeys(store: session.store.index, reserve: session.reserveKeys)
    insertedKeys = assigned.keys
    session.references.permanent = assigned.references
  }

  // MARK: - Rows

  private func insert(_ group: SQLSavePlan.Group, keys: [Int64]) throws {
    let insertion = try SQLiteRowInsertion(group: group, keys: keys, session: session)
    defer { insertion.clear() }
    for first in stride(from: 0, to: group.count, by: insertion.rowsAtOnce) {
      let indices = first..<min(first + insertion.rowsAtOnce, group.count)
      let isWhole = indices.count == insertion.rowsAtOnce && indices.count > 1
      if isWhole, try insertion.insertSeveral(from: first) {
        for index in indices { try session.history?.insertion(of: keys[index], entity: group.entity) }
        continue
      }
      // One by one, to find the rows with the error.
      for index in indices {
        guard let writer = try insertion.single(index) else { continue }
        try run(writer, change: group[index], entity: group.entity)
        try session.history?.insertion(of: keys[index], entity: group.entity)
      }
    }
  }

  /// Clears the unique values of changed rows first, because the rows may exchange values.
  private func emptyUniqueValues(_ group: SQLSavePlan.Group) throws {
    let columns = plan.columnsToEmpty(group)
    if columns.isEmpty { return }
    let writer = try SQLiteRowWriter(
      sql: statements.emptying(group.entity.table, columns: columns),
      entity: group.entity,
      slots: [],
      session: session
    )
    defer { writer.clear() }
    for index in 0..<group.count {
      writer.bind(group.reference(index).key, at: 1)
      _ = try writer.run()
    }
  }

  private func update(_ group: SQLSavePlan.Group) throws {
    let writer = try SQLiteRowWriter(
      sql: statements.update(group.entity, slots: group.slots),
      entity: group.entity,
      slots: group.slots,
      session: session
    )
    defer { writer.clear() }
    let files = session.externalColumns(group.entity, slots: group.slots)
    let columns = session.history?.columns(group.entity, slots: group.slots)
    for index in 0..<group.count {
      let change = group[index]
      guard let row = change.row else { continue }
      let version = change.committed?.version ?? row.version
      try recordOldFiles(of: change.reference.key, entity: group.entity, columns: files)
      writer.bind(Row.version(after: version), at: 1)
      let next = try writer.bind(row, from: 2)
      writer.bind(change.reference.key, at: next)
      writer.bind(version, at: next + 1)
      if try run(writer, change: change, entity: group.entity) == 0 {
        try addConflict(change)
      } else if change.toMany.isEmpty, let columns {
        try session.history?.update(of: change.reference.key, entity: group.entity, columns: columns)
      } else {
        let toMany = change.toMany.map(\.relationship)
        try session.history?.update(
          of: change.reference.key,
          entity: group.entity,
          slots: group.slots,
          toMany: toMany
        )
      }
    }
  }

  private func delete(_ group: SQLSavePlan.Group) throws {
    let entity = group.entity
    let deletion = try SQLiteRowDeletion(group: group, session: session, isOneByOne: isOneByOne)
    let files = session.externalColumns(entity, slots: entity.slots.indices)
    let removals = try SQLiteLinks(session: session).removals(entity)
    try deletion.forEachStatement { indices in
      for index in indices {
        let key = group.reference(index).key
        try recordOldFiles(of: key, entity: entity, columns: files)
        try session.history?.deletion(of: key, entity: entity)
      }
      switch try deletion.run(indices) {
      case indices.count:
        for index in indices {
          for removal in removals { try removal.run(group.reference(index).key) }
        }
      case _ where indices.count > 1: throw HasConflicts()
      default: try addConflict(group[indices.lowerBound])
      }
    }
  }

  /// Computes the derived attributes that no trigger computes.
  private func deriveTexts() throws {
    for group in plan.updates where !group.entity.derivedTexts.isEmpty {
      try deriveTexts(group.entity, keys: (0..<group.count).map { group.reference($0).key })
    }
    for (group, keys) in zip(plan.insertions, insertedKeys) { try deriveTexts(group.entity, keys: keys) }
  }

  private func deriveTexts(_ entity: SQLEntity, keys: [Int64]) throws {
    for key in keys { try session.derivation.update(key, entity: entity) }
  }

  /// A row that breaks a uniqueness constraint is put down and left out: the transaction is taken back in the end.
  ///
  /// - Returns: the number of rows that were changed or would have been.
  @discardableResult
  private func run(_ writer: SQLiteRowWriter, change: ObjectChange, entity: SQLEntity) throws -> Int {
    do {
      return try writer.run()
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      let broken = SQLiteBrokenConstraint(error: error, schema: session.engine.schema)
      guard let constraint = broken.constraint?.layout(in: change.layout) else {
        throw broken.failure(change.row, layout: change.layout, file: session.store.file)
      }
      try addViolation(of: constraint, change: change, entity: entity)
      return 1
    }
  }

  private func addViolation(of constraint: ConstraintLayout, change: ObjectChange, entity: SQLEntity) throws {
    let lookup = try SQLiteRowWriter(
      sql: statements.keyLookup(entity, slots: constraint.slots),
      entity: entity,
      slots: constraint.slots,
      session: session
    )
    guard let row = change.row else { return }
    _ = try lookup.bind(row, from: 1)
    let key = try lookup.key()
    let saved = session.references.permanent?.values
    let isOwn = key.map { key in saved?.contains { $0.key == key } ?? false } ?? true
    let holder = isOwn ? nil : try key.flatMap { try persisted($0, layout: change.layout) }
    violations.append(
      ConstraintViolation(
        reference: change.reference,
        constraint: constraint,
        holder: holder?.reference,
        persisted: holder?.row
      )
    )
  }

  private func addConflict(_ change: ObjectChange) throws {
    let persisted = try persisted(change.reference.key, layout: change.layout)
    conflicts.append(VersionConflict(reference: change.reference, persisted: persisted?.row))
  }

  /// The row that the store has under a key.
  private func persisted(_ key: Int64, layout: EntityLayout) throws -> FetchedRow? {
    try session.reader.row(key, root: layout.rootNumber, on: session.queries)
  }

  /// Records the files that a row names, and will not name any more.
  private func recordOldFiles(of key: Int64, entity: SQLEntity, columns: [String]) throws {
    if columns.isEmpty { return }
    let query = statements.lookup(columns, of: entity.table.name, by: [entity.table.primaryKey])
    try session.recordOldFiles(SQLStatement(sql: query, bindings: [.integer(key)]), isCached: true)
  }
}
