#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Deletes the results of a query, by one statement if nothing else has to be done for the rows.
  struct PostgreSQLBatchDeletion {
    let deletion: BatchDeletion
    let session: PostgreSQLWriteSession

    private var engine: PostgreSQLStore.Engine { session.engine }

    func run() throws -> BatchOutcome {
      let entity = try engine.schema.entity(deletion.query.entity)
      let plan = engine.plans.plan(entity, includesSubentities: deletion.query.includesSubentities)
      if plan.shapes.isEmpty { return BatchOutcome() }
      let fetch = try SQLFetch(
        try session.reader.answerable(deletion.query, on: session.queries),
        schema: engine.schema,
        store: session.store.index,
        dialect: engine.dialect
      )
      let rest = SQLBatchDeletion(entities: plan.shapes.map(\.entity), schema: engine.schema, dialect: engine.dialect)
      if rest.isOfRowsAlone, session.history == nil, !session.derivation.concerns(entity) {
        return try delete(try rest.statement(fetch, returnsKeys: deletion.wantsReferences))
      }
      let found = try session.reader.rows(
        of: try fetch.rows(fetch.keyColumns),
        plan: plan,
        includesRows: false,
        on: session.queries
      )
      return try delete(found, rest: rest)
    }

    /// By one statement.
    private func delete(_ statement: SQLStatement) throws -> BatchOutcome {
      let result = try session.connection.run(statement)
      guard deletion.wantsReferences else { return BatchOutcome(count: result.changedCount) }
      var outcome = BatchOutcome()
      for row in 0..<result.rowCount {
        guard let key = result.integer(row, column: 0), let number = result.integer(row, column: 1) else { continue }
        session.references.count(key, entityNumber: number, isWanted: true, in: &outcome)
      }
      return outcome
    }

    /// Deletes by keys, and removes the references to the rows as well.
    private func delete(_ found: [FetchedRow], rest: SQLBatchDeletion) throws -> BatchOutcome {
      if found.isEmpty { return BatchOutcome() }
      let keys = SQLList.integers(found.map(\.key))
      for (relationship, query) in rest.stranded(by: keys) {
        try session.queries.forEachRow(of: query, preparation: .once) { _ in
          throw BatchDeletion.stranding(relationship)
        }
      }
      for (entity, keys) in Dictionary(grouping: found, by: \.layout.number) {
        guard let entity = engine.schema.entity(modelNumber: entity) else { continue }
        try session.derivation.willChange(keys.map(\.key), of: entity, columns: nil)
        try session.history?.deletions(of: keys.map(\.key), entity: entity)
      }
      for statement in rest.statements(for: keys) { try session.connection.run(statement) }
      return BatchOutcome(count: found.count, references: deletion.wantsReferences ? found.map(\.reference) : [])
    }
  }

  /// Changes what a query finds by one statement.
  struct PostgreSQLBatchUpdate {
    let update: BatchUpdate
    let session: PostgreSQLWriteSession

    private var engine: PostgreSQLStore.Engine { session.engine }

    func run() throws -> BatchOutcome {
      let query = try session.reader.answerable(update.query, on: session.queries)
      let plan = try SQLBatchUpdate(
        query,
        schema: engine.schema,
        store: session.store.index,
        dialect: engine.dialect
      )
      let assignments = try update.assignments.map { (slot: $0.slot, value: try value($0, entity: plan.entity)) }
      let derives = session.derivation.concerns(plan.entity)
      let columns = Set(update.assignments.flatMap { plan.entity.slots[$0.slot]?.columns ?? [] })
      if derives {
        let found = try session.connection.run(try plan.rows([plan.entity.table.primaryKey]))
        let keys = (0..<found.rowCount).compactMap { found.integer($0, column: 0) }
        try session.derivation.willChange(keys, of: plan.entity, columns: columns)
      }
      let returnsKeys = update.wantsReferences || derives || session.history != nil
      guard
        let statement = try SQLUntranslatable.asNil({ try plan.statement(assignments, returnsKeys: returnsKeys) })
      else {
        let inMemory = PostgreSQLUpdateInMemory(update: update, query: query, session: session)
        return try reporting { try inMemory.run() }
      }
      var outcome = BatchOutcome()
      let result = try reporting {
        try session.longValues.writing(longColumns(assignments, plan.entity), of: plan.entity.table.name) {
          try session.connection.run(statement)
        }
      }
      guard returnsKeys else { return BatchOutcome(count: result.changedCount) }
      var changed: [Int64: [Int64]] = [:]
      for row in 0..<result.rowCount {
        guard let key = result.integer(row, column: 0), let number = result.integer(row, column: 1) else { continue }
        session.references.count(key, entityNumber: number, isWanted: update.wantsReferences, in: &outcome)
        changed[number, default: []].append(key)
      }
      for (number, keys) in changed {
        guard let entity = engine.schema.entity(storeNumber: number) else { continue }
        try session.derivation.didUpdate(keys, of: entity, columns: columns)
        try tellHistory(of: keys, entity: entity)
      }
      return outcome
    }

    /// The columns that may get values which are too long for an index.
    private func longColumns(
      _ assignments: [(slot: Int, value: SQLBatchUpdate.Value)],
      _ entity: SQLEntity
    ) -> Set<String> {
      let long = assignments.filter { assignment in
        switch assignment.value {
        case .constant(let value, _): PostgreSQLLongValues.isLong(value)
        case .expression: true
        }
      }
      return Set(long.flatMap { entity.slots[$0.slot]?.columns ?? [] })
    }

    /// Names the constraint that an update breaks.
    private func reporting<Value>(_ body: () throws -> Value) throws -> Value {
      do {
        return try body()
      } catch let error as PostgreSQLError where error.isUniqueViolation {
        throw SQLConstraintFailure(file: session.store.place)
          .error(
            engine.schema.constraint(ofIndex: error.constraint),
            row: valuesOfConstants(),
            layout: update.query.entity.layout,
            details: [PostgreSQLFailure.stateKey: error.state]
          )
      }
    }

    /// The slots of a subentity correspond to those of its superentity by name, not by number.
    private func tellHistory(of keys: [Int64], entity: SQLEntity) throws {
      guard let history = session.history else { return }
      let names = update.assignments.map { update.query.entity.layout.slots[$0.slot].name }
      let slots = entity.layout.slots.indices.filter { names.contains(entity.layout.slots[$0].name) }
      let columns = history.columns(entity, slots: slots)
      try history.updates(of: keys, entity: entity, columns: keys.map { _ in columns })
    }

    private func value(_ assignment: BatchUpdate.Assignment, entity: SQLEntity) throws
      -> SQLBatchUpdate.Value
    {
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
        guard let attribute = entity.layout.slots[assignment.slot].attribute else { return .constant(.null) }
        let value = try SQLBinding(dialect: engine.dialect).value(constant, of: attribute)
        if case .text(let text) = value, text.utf8.contains(0) { throw PostgreSQLRowEncoder.unkept(attribute) }
        return .constant(value)
      }
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

  extension SQLSchema {
    /// The uniqueness constraint that an index keeps; `nil` for the name of another one.
    func constraint(ofIndex name: String?) -> SQLConstraint? {
      guard let index = indexes.first(where: { $0.isUnique && $0.name == name }) else { return nil }
      let columns = index.elements.map(\.column)
      return constraints.first { $0.table == index.table && $0.columns == columns }
    }
  }
#endif
