#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Inserts the rows of a batch, many by one statement.
  final class PostgreSQLBatchInsertion {
    private let insertion: BatchInsertion
    private let session: PostgreSQLWriteSession
    private let entity: SQLEntity
    private let slots: [Int]
    /// The uniqueness constraints of the entity's table.
    private let constraints: [SQLConstraint]
    private let statements = PostgreSQLRowStatements()
    private var outcome = BatchOutcome()

    init(insertion: BatchInsertion, session: PostgreSQLWriteSession) throws {
      self.insertion = insertion
      self.session = session
      let entity = try session.engine.schema.entity(insertion.layout.entity)
      self.entity = entity
      slots = entity.slots.indices.filter { entity.slots[$0] != nil && entity.layout.slots[$0].attribute != nil }
      constraints = session.engine.schema.constraints.filter { $0.table == entity.table.name }
    }

    func run() throws -> BatchOutcome {
      let isCopied = constraints.isEmpty && session.engine.connections.capabilities[.binaryCopy]
      while true {
        // The handler is asked before the rows are sent: it may read through this connection.
        let rows = try nextRows(atMost: isCopied ? Self.rowsPerCopy : PostgreSQLRowColumns.rowsPerStatement)
        if rows.isEmpty { return outcome }
        let first = try session.reserveKeys(rows.count, root: entity.layout.rootNumber)
        if isCopied { try copy(rows, first: first) } else { try insert(rows, first: first) }
      }
    }

    private static let rowsPerCopy = 10_000

    private func nextRows(atMost count: Int) throws -> [BatchRow] {
      var rows: [BatchRow] = []
      while rows.count < count, let row = try insertion.next() { rows.append(row) }
      return rows
    }

    /// Inserts rows that no constraint can keep out.
    private func copy(_ rows: [BatchRow], first: Int64) throws {
      let encoder = PostgreSQLRowEncoder(entity, slots: slots, references: session.references)
      let table = entity.table
      let columns =
        [table.primaryKey, table.entityColumn, table.versionColumn].map {
          PostgreSQLBulkInsertion.Column(name: $0, type: "bigint")
        } + zip(encoder.names, encoder.types).map(PostgreSQLBulkInsertion.Column.init)
      let values = try rows.enumerated().map { index, row in
        var values = [SQLValue](repeating: .null, count: columns.count)
        values.replaceSubrange(0..<3, with: [.integer(first + Int64(index)), .integer(entity.number), .integer(1)])
        try encoder.forEachValue(of: row.row) { values[3 + $0] = $1 }
        return values
      }
      try PostgreSQLBulkInsertion(
        table: table.name,
        columns: columns,
        capabilities: session.engine.connections.capabilities
      )
      .run(values, on: session.connection, longValues: session.longValues)
      let keys = first..<first + Int64(rows.count)
      for key in keys {
        session.references.count(
          key,
          entityNumber: entity.number,
          isWanted: insertion.wantsReferences,
          in: &outcome
        )
      }
      try session.derivation.didInsert(Array(keys), of: entity)
      try session.history?.insertions(of: Array(keys), entity: entity)
    }

    private func insert(_ rows: [BatchRow], first: Int64) throws {
      switch resolution {
      case .fail:
        let kept = try insert(rows[...], first: first, resolution: .ignore)
        if let index = rows.indices.first(where: { !kept.contains(first + Int64($0)) }) {
          throw failure(rows[index].row)
        }
      case .ignore: _ = try insert(rows[...], first: first, resolution: .ignore)
      // One statement cannot change a row twice.
      case .assign:
        for (index, row) in rows.enumerated() {
          let assigned = insertion.mergeType == .overwriteMergePolicyType ? slots : row.given
          _ = try insert(rows[index...index], first: first + Int64(index), resolution: .assign(assigned))
        }
      }
    }

    /// - Returns: the keys of the inserted or updated rows.
    private func insert(_ rows: ArraySlice<BatchRow>, first: Int64, resolution: SQLConflictResolution)
      throws -> Set<Int64>
    {
      var columns = PostgreSQLRowColumns(entity, slots: slots, references: session.references)
      for row in rows { try columns.append(row.row) }
      let keys = first..<first + Int64(rows.count)
      let sql = try statements.insertion(entity, columns: columns, resolving: resolution, of: constraints)
      let values = [PostgreSQLArray(integers: keys).value, .integer(entity.number)] + columns.values
      let result = try session.longValues.writing(columns.longColumns, of: entity.table.name) {
        try session.connection.run(sql, values: values, isCached: true)
      }
      var kept: Set<Int64> = []
      var inserted: [Int64] = []
      for row in 0..<result.rowCount {
        guard let key = result.integer(row, column: 0), let number = result.integer(row, column: 1) else { continue }
        kept.insert(key)
        session.references.count(key, entityNumber: number, isWanted: insertion.wantsReferences, in: &outcome)
        guard let stored = session.engine.schema.entity(storeNumber: number) else { continue }
        if keys.contains(key) {
          inserted.append(key)
        } else {
          try session.derivation.didUpdate([key], of: stored, columns: Set(columns.names))
          if let history = session.history, case .assign(let slots) = resolution {
            try history.updates(of: [key], entity: stored, columns: [history.columns(stored, slots: slots)])
          }
        }
      }
      try session.derivation.didInsert(inserted, of: entity)
      try session.history?.insertions(of: inserted.sorted(), entity: entity)
      return kept
    }

    private enum Resolution { case fail, ignore, assign }

    private var resolution: Resolution {
      if constraints.isEmpty { return .fail }
      return switch insertion.mergeType {
      case .errorMergePolicyType: .fail
      case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .ignore
      case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: .assign
      }
    }

    /// The error of a row that another one keeps out.
    private func failure(_ row: Row) -> any Error {
      let broken = constraints.first { constraint in
        constraint.properties.allSatisfy { name in
          guard case .slot(let slot)? = entity.layout.places[name] else { return false }
          return row.hasValue(slot)
        }
      }
      return SQLConstraintFailure(file: session.store.place).error(broken, row: row, layout: insertion.layout)
    }
  }
#endif
