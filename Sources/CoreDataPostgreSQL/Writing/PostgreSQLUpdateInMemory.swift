#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Predicates

  /// A batch update whose values the server cannot calculate: memory does it, for some rows at once.
  struct PostgreSQLUpdateInMemory {
    let update: BatchUpdate
    /// The query of the update, as the server can answer it.
    let query: FetchQuery
    let session: PostgreSQLWriteSession

    private var engine: PostgreSQLStore.Engine { session.engine }

    /// The values of one row.
    private typealias Assignment = (slot: Int, value: (StoreRecord) throws -> StoredValue)

    func run() throws -> BatchOutcome {
      var keysOnly = query
      keysOnly.includesRows = false
      let source = SQLLeasedSource(connection: session.queries)
      let keys = try session.reader.fetch(keysOnly, from: source).map(\.key)
      var outcome = BatchOutcome()
      for start in stride(from: 0, to: keys.count, by: PostgreSQLRowColumns.rowsPerStatement) {
        var part = FetchQuery(entity: query.entity)
        part.includesSubentities = query.includesSubentities
        part.keys = Array(keys[start..<min(start + PostgreSQLRowColumns.rowsPerStatement, keys.count)])
        let rows = try session.reader.fetch(part, from: source)
        for (_, rows) in Dictionary(grouping: rows, by: \.layout.number) { outcome.add(try write(rows)) }
      }
      return outcome
    }

    /// Writes rows of one entity.
    private func write(_ rows: [FetchedRow]) throws -> BatchOutcome {
      guard let layout = rows.first?.layout, let entity = engine.schema.entity(modelNumber: layout.number)
      else { return BatchOutcome() }
      let related = SQLRelatedRows(reader: session.reader, connection: session.queries)
      let assignments = try update.assignments.compactMap { try assignment($0, layout: layout) }
      let slots = assignments.map(\.slot)
      var columns = PostgreSQLRowColumns(entity, slots: slots, references: session.references)
      var versions = PostgreSQLArray(type: "bigint")
      for fetched in rows {
        guard let record = StoreRecord(fetched, reader: related), let row = fetched.row?.copy() else { continue }
        for assignment in assignments { row.set(try assignment.value(record), slot: assignment.slot) }
        try columns.append(row)
        versions.append(.integer(row.version))
      }
      let keys = rows.map(\.key)
      let values = [PostgreSQLArray(integers: keys).value, versions.value] + columns.values
      _ = try session.longValues.writing(columns.longColumns, of: entity.table.name) {
        try session.connection.run(
          PostgreSQLRowStatements().update(entity, columns: columns),
          values: values,
          isCached: true
        )
      }
      try session.derivation.didUpdate(keys, of: entity, columns: Set(columns.names))
      if let history = session.history {
        let columns = history.columns(entity, slots: slots)
        try history.updates(of: keys, entity: entity, columns: keys.map { _ in columns })
      }
      return BatchOutcome(count: rows.count, references: update.wantsReferences ? rows.map(\.reference) : [])
    }

    /// Subentities have the slot elsewhere.
    private func assignment(_ assignment: BatchUpdate.Assignment, layout: EntityLayout) throws
      -> Assignment?
    {
      let name = update.query.entity.layout.slots[assignment.slot].name
      guard case .slot(let slot)? = layout.places[name] else { return nil }
      switch assignment.value {
      case .constant(let value): return (slot, { _ in value })
      case .expression(let expression):
        let evaluator = try ExpressionEvaluator(expression, nulls: .asInSQL)
        return (slot, { try layout.calculatedValue(try evaluator($0), slot: slot) })
      }
    }
  }
#endif
