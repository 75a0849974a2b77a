#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Writes a change set: the steps of a save. Each statement writes many rows.
  final class PostgreSQLSave {
    /// Thrown to roll back the transaction and return an outcome: some rows were changed by other
    /// transactions, or have unique values that other rows have.
    struct Unresolved: Error {
      let outcome: CommitOutcome
    }

    private let session: PostgreSQLWriteSession
    private let plan: SQLSavePlan
    private let statements = PostgreSQLRowStatements()
    private var conflicts: [VersionConflict] = []
    private var violations: [ConstraintViolation] = []
    /// The keys of each group of insertions.
    private let insertedKeys: [[Int64]]

    /// - Parameter insertedKeys: the keys for each group of insertions of the plan.
    init(plan: SQLSavePlan, insertedKeys: [[Int64]], session: PostgreSQLWriteSession) {
      self.plan = plan
      self.insertedKeys = insertedKeys
      self.session = session
    }

    /// - Throws: `Unresolved`, or why the rows cannot be written.
    func run() throws -> CommitOutcome {
      for group in plan.deletions { try delete(group) }
      for group in plan.updates { try emptyUniqueValues(group) }
      for group in plan.updates { try update(group) }
      if !conflicts.isEmpty { throw Unresolved(outcome: .conflicts(conflicts)) }
      for (group, keys) in zip(plan.insertions, insertedKeys) { try insert(group, keys: keys) }
      if !violations.isEmpty { throw Unresolved(outcome: .violations(violations)) }
      let links = PostgreSQLLinks(session: session)
      for table in plan.links { try links.write(table) }
      for keys in plan.ownedKeys { try links.write(keys) }
      for order in plan.orders { try links.write(order) }
      try session.finish()
      return .saved(
        permanentReferences: session.references.permanent ?? [:],
        transactions: session.history?.number.map { [session.store.identifier: $0] } ?? [:]
      )
    }

    // MARK: - Rows

    private func insert(_ group: SQLSavePlan.Group, keys: [Int64]) throws {
      let isUnique = !group.entity.layout.constraints.isEmpty
      try forEachPart(of: group) { part in
        var columns = PostgreSQLRowColumns(group.entity, slots: group.slots, references: session.references)
        var written: [Int] = []
        for index in part {
          guard let row = group.row(index) else { continue }
          try columns.append(row)
          written.append(index)
        }
        let writtenKeys = written.map { keys[$0] }
        let values =
          [PostgreSQLArray(integers: writtenKeys).value, .integer(group.entity.number)] + columns.values
        guard isUnique else {
          try insert(columns, values: values, of: group.entity)
          try session.derivation.didInsert(writtenKeys, of: group.entity)
          try session.history?.insertions(of: writtenKeys, entity: group.entity)
          return
        }
        let kept = try session.longValues.writing(columns.longColumns, of: group.entity.table.name) {
          try run(try statements.insertion(group.entity, columns: columns), values: values)
        }
        try session.derivation.didInsert(Array(kept), of: group.entity)
        try session.history?.insertions(of: writtenKeys.filter(kept.contains), entity: group.entity)
        if kept.count == written.count { return }
        for index in written where !kept.contains(keys[index]) {
          try addViolation(group[index], key: keys[index], entity: group.entity)
        }
      }
    }

    /// Inserts rows without uniqueness constraints, so that only a key can conflict.
    private func insert(_ columns: PostgreSQLRowColumns, values: [PostgreSQLValue], of entity: SQLEntity) throws {
      do {
        let sql = statements.plainInsertion(entity, columns: columns)
        let result = try session.longValues.writing(columns.longColumns, of: entity.table.name) {
          try session.connection.run(sql, values: values, isCached: true)
        }
        if result.changedCount != columns.count { throw Self.unwritten(entity) }
      } catch let error as PostgreSQLError where error.isUniqueViolation {
        throw Self.unwritten(entity)
      }
    }

    /// - Parameter key: the key of the row, where it is known.
    private static func unwritten(_ entity: SQLEntity, key: Int64? = nil) -> any Error {
      StoreFailure.error(
        NSPersistentStoreSaveError,
        message: """
          A row of \(entity.entity.name ?? "") could not be written: another transaction has taken its \
          key\(key.map { ", \($0)," } ?? "") or unique values, and may have given them back. Save again.
          """
      )
    }

    /// Clears the unique values of changed rows first, because the rows may exchange values.
    private func emptyUniqueValues(_ group: SQLSavePlan.Group) throws {
      let columns = plan.columnsToEmpty(group)
      if columns.isEmpty { return }
      try forEachPart(of: group) { part in
        let keys = PostgreSQLArray(integers: part.map { group.reference($0).key }).value
        try session.connection.run(statements.emptying(group.entity, columns: columns), values: [keys], isCached: true)
      }
    }

    private func update(_ group: SQLSavePlan.Group) throws {
      let isUnique = !constraints(of: group).isEmpty
      try forEachPart(of: group) { part in
        let written = part.filter { group.row($0) != nil }
        guard isUnique else { return try update(group, written: written) }
        // A row that breaks a constraint is an error here, which ends the transaction without a savepoint.
        try session.connection.run("SAVEPOINT rows")
        do {
          try update(group, written: written)
          try session.connection.run("RELEASE SAVEPOINT rows")
        } catch let error as PostgreSQLError where error.isUniqueViolation {
          try session.connection.run("ROLLBACK TO SAVEPOINT rows")
          for index in written { try updateAlone(group, index: index) }
        }
      }
    }

    private func update(_ group: SQLSavePlan.Group, written: [Int]) throws {
      var columns = PostgreSQLRowColumns(group.entity, slots: group.slots, references: session.references)
      var (keys, versions): ([Int64], [Int64]) = ([], [])
      for index in written {
        guard let row = group.row(index) else { continue }
        try columns.append(row)
        keys.append(group.reference(index).key)
        versions.append(group.committedVersion(index) ?? row.version)
      }
      let changed = Set(columns.names)
      try session.derivation.willChange(keys, of: group.entity, columns: changed)
      let values =
        [PostgreSQLArray(integers: keys).value, PostgreSQLArray(integers: versions).value] + columns.values
      let kept = try session.longValues.writing(columns.longColumns, of: group.entity.table.name) {
        try run(statements.update(group.entity, columns: columns), values: values)
      }
      try session.derivation.didUpdate(Array(kept), of: group.entity, columns: changed)
      try tellHistory(of: written.filter { kept.contains(group.reference($0).key) }, group: group)
      for index in written where !kept.contains(group.reference(index).key) { try addConflict(group[index]) }
    }

    private func tellHistory(of indices: [Int], group: SQLSavePlan.Group) throws {
      guard let history = session.history else { return }
      let common = history.columns(group.entity, slots: group.slots)
      let columns = indices.map { index in
        let toMany = group[index].toMany.map(\.relationship)
        return toMany.isEmpty ? common : history.columns(group.entity, slots: group.slots, toMany: toMany)
      }
      try history.updates(of: indices.map { group.reference($0).key }, entity: group.entity, columns: columns)
    }

    /// Writes a single row of a group in which some row breaks a constraint, because the server does not say which.
    private func updateAlone(_ group: SQLSavePlan.Group, index: Int) throws {
      try session.connection.run("SAVEPOINT row")
      do {
        try update(group, written: [index])
        try session.connection.run("RELEASE SAVEPOINT row")
      } catch let error as PostgreSQLError where error.isUniqueViolation {
        try session.connection.run("ROLLBACK TO SAVEPOINT row")
        try addViolation(group[index], key: group.reference(index).key, entity: group.entity)
      }
    }

    private func delete(_ group: SQLSavePlan.Group) throws {
      let links = PostgreSQLLinks(session: session)
      try forEachPart(of: group) { part in
        let deleted = part.filter { !group.reference($0).isTemporary }
        if deleted.isEmpty { return }
        let keys = deleted.map { group.reference($0).key }
        try session.derivation.willChange(keys, of: group.entity, columns: nil)
        try session.history?.deletions(of: keys, entity: group.entity)
        let versions = deleted.map { group.committedVersion($0) ?? 0 }
        let kept = try run(
          statements.deletion(group.entity),
          values: [PostgreSQLArray(integers: keys).value, PostgreSQLArray(integers: versions).value]
        )
        for index in deleted where !kept.contains(group.reference(index).key) { try addConflict(group[index]) }
        try links.remove(keys, of: group.entity)
      }
    }

    /// Goes through a group in parts that are written together.
    private func forEachPart(of group: SQLSavePlan.Group, _ body: (Range<Int>) throws -> Void) throws {
      var start = 0
      while start < group.count {
        let end = min(start + PostgreSQLRowColumns.rowsPerStatement, group.count)
        try body(start..<end)
        start = end
      }
    }

    /// - Returns: the keys that the statement answers.
    private func run(_ sql: String, values: [PostgreSQLValue]) throws -> Set<Int64> {
      let result = try session.connection.run(sql, values: values, isCached: true)
      return Set((0..<result.rowCount).compactMap { result.integer($0, column: 0) })
    }

    // MARK: - What others have

    /// The constraints that what a group writes can break.
    private func constraints(of group: SQLSavePlan.Group) -> [ConstraintLayout] {
      group.entity.layout.constraints.filter { !Set($0.slots).isDisjoint(with: group.slots) }
    }

    private func addViolation(_ change: ObjectChange, key: Int64, entity: SQLEntity) throws {
      for constraint in change.layout.constraints {
        guard let holder = try holder(of: constraint, change: change, entity: entity), holder != key else { continue }
        let saved = session.references.permanent?.values
        let isOwn = saved?.contains { $0.key == holder } ?? false
        let persisted = isOwn ? nil : try persisted(holder, layout: change.layout)
        violations.append(
          ConstraintViolation(
            reference: change.reference,
            constraint: constraint,
            holder: persisted?.reference,
            persisted: persisted?.row
          )
        )
        return
      }
      throw Self.unwritten(entity, key: key)
    }

    /// The key of the row with the values of a constraint; `nil` where the object lacks one of them.
    private func holder(of constraint: ConstraintLayout, change: ObjectChange, entity: SQLEntity) throws
      -> Int64?
    {
      guard let row = change.row else { return nil }
      let binding = SQLBinding(dialect: session.engine.dialect)
      var values: [SQLValue] = []
      for slot in constraint.slots {
        guard row.hasValue(slot) else { return nil }
        if case .reference(let reference) = row.value(slot) {
          let permanent = try session.references.permanentReference(for: reference, from: change.layout, slot: slot)
          values.append(.integer(permanent.key))
          if entity.slots[slot]?.entityColumn != nil {
            values.append(.integer(try session.references.entityNumber(of: permanent)))
          }
        } else if let attribute = change.layout.slots[slot].attribute {
          values.append(try binding.value(row.value(slot), of: attribute))
        }
      }
      let sql = session.engine.statements.keyLookup(entity, slots: constraint.slots)
      var key: Int64?
      try session.queries.forEachRow(of: SQLStatement(sql: sql, bindings: values), preparation: .held) {
        key = $0.number(0)
      }
      return key
    }

    private func addConflict(_ change: ObjectChange) throws {
      let persisted = try persisted(change.reference.key, layout: change.layout)
      conflicts.append(VersionConflict(reference: change.reference, persisted: persisted?.row))
    }

    /// The row that the store has under a key.
    private func persisted(_ key: Int64, layout: EntityLayout) throws -> FetchedRow? {
      try session.reader.row(key, root: layout.rootNumber, on: session.queries)
    }
  }
#endif
