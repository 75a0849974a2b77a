import Foundation
import Predicates
import Synchronization

/// Changes many objects at once, without handing them out.
extension InMemoryStore {
  package func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome {
    try checkWritable()
    return try changing { contents in
      let found = try matches(deletion.query, reader: InMemoryReader(contents: contents, store: index))
      guard let root = found.first?.layout.rootNumber, let model else { return BatchOutcome() }
      let derivation = InMemoryDerivation(store: index)
      let dependents = derivation.dependents(of: found.map { ($0.key, $0.layout) }, in: contents)
      var next = contents
      for row in found { next.remove(row.key, layout: row.layout) }
      try next.removeReferences(to: Set(found.map(\.key)), root: root, in: model)
      try derivation.updateDependents(dependents, contents: &next)
      contents = next
      return BatchOutcome(count: found.count, references: deletion.wantsReferences ? found.map(\.reference) : [])
    }
  }

  /// Only SQLite stores enforce uniqueness constraints.
  package func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome {
    try checkWritable()
    var rows: [Row] = []
    while let next = try insertion.next() { rows.append(next.row) }
    let layout = insertion.layout
    return try changing { contents in
      var next = contents
      let keys = rows.map { row in
        let key = next.nextKey(root: layout.rootNumber)
        next.set(stored(row, version: 1), key: key, root: layout.rootNumber)
        return key
      }
      try InMemoryDerivation(store: index).update(&next, changed: keys.map { ($0, layout) })
      contents = next
      return BatchOutcome(
        count: keys.count,
        references: insertion.wantsReferences
          ? keys.map { ObjectReference(key: $0, entity: layout.number, store: index) } : []
      )
    }
  }

  package func updateAll(_ update: BatchUpdate) throws -> BatchOutcome {
    try checkWritable()
    let assignments = try update.assignments.map(InMemoryAssignment.init)
    return try changing { contents in
      let reader = InMemoryReader(contents: contents, store: index)
      let found = try matches(update.query, reader: reader)
      let rows = try found.map {
        try changed($0, assignments: assignments, layout: update.query.entity.layout, reader: reader)
      }
      let derivation = InMemoryDerivation(store: index)
      let places = found.map { ($0.key, $0.layout) }
      // Those of a destination that is left count too.
      let dependents = derivation.dependents(of: places, in: contents)
      var next = contents
      for (row, fetched) in zip(rows, found) {
        next.set(row, key: fetched.key, root: fetched.layout.rootNumber)
        next.moveDestination(fetched.reference, from: fetched.row, to: row)
      }
      try derivation.update(&next, changed: places)
      try derivation.updateDependents(dependents, contents: &next)
      contents = next
      return BatchOutcome(count: found.count, references: update.wantsReferences ? found.map(\.reference) : [])
    }
  }

  /// Changes the contents while no other thread writes.
  private func changing(_ change: (inout InMemoryContents) throws -> BatchOutcome) throws -> BatchOutcome {
    try writing.withLock { try contents.withLock { try change(&$0) } }
  }

  private func changed(
    _ fetched: FetchedRow,
    assignments: [InMemoryAssignment],
    layout: EntityLayout,
    reader: InMemoryReader
  ) throws -> Row {
    guard let record = StoreRecord(fetched, reader: reader), let row = fetched.row else {
      return Row(layout: fetched.layout)
    }
    let changed = stored(row, version: Row.version(after: row.version))
    for assignment in assignments {
      // Subentities have the slot elsewhere.
      guard case .slot(let slot)? = fetched.layout.places[layout.slots[assignment.slot].name] else { continue }
      changed.set(try assignment.value(for: record, layout: fetched.layout, slot: slot), slot: slot)
    }
    return changed
  }

  /// A row of the store's own, without the context's transient values.
  private func stored(_ row: Row, version: Int64) -> Row {
    let stored = row.copy()
    stored.version = version
    for slot in row.layout.slots.indices where row.layout.slots[slot].isTransient { stored.setNull(slot) }
    stored.setTransientDefaults()
    return stored
  }
}

/// One assignment of a batch update, ready to be asked for each row.
private struct InMemoryAssignment {
  private enum Value {
    case constant(StoredValue)
    case expression(ExpressionEvaluator)
  }

  let slot: Int
  private let value: Value

  init(_ assignment: BatchUpdate.Assignment) throws {
    slot = assignment.slot
    switch assignment.value {
    case .constant(let constant): value = .constant(constant)
    case .expression(let expression): value = .expression(try ExpressionEvaluator(expression))
    }
  }

  func value(for record: StoreRecord, layout: EntityLayout, slot: Int) throws -> StoredValue {
    switch value {
    case .constant(let constant): constant
    case .expression(let evaluator): try layout.calculatedValue(try evaluator(record), slot: slot)
    }
  }
}
