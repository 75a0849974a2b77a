import Foundation
import SQLiteDriver

extension SQLiteStore {
  func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws -> CommitOutcome {
    let changed = metadataState.changed
    if changes.isEmpty, changed == nil { return try others() ?? .saved(permanentReferences: [:]) }
    var committed: StoreMetadata?
    let outcome = try commit(changes, through: engine().connections) { database in
      committed = try changed.map { try $0.metadata.write($0.changes.keys, to: database, file: file) }
      return try others()
    }
    if case .saved = outcome, let committed, let changed {
      metadataState.wereCommitted(committed, changes: changed.changes)
    }
    return outcome
  }

  /// Commits a change set in a transaction, or as a part of one.
  ///
  /// - Parameter rest: called after the changes are written; if it throws or returns an outcome,
  ///   they are rolled back.
  func commit(
    _ changes: ChangeSet,
    through target: some SQLiteWriteTarget,
    and rest: (Database) throws -> CommitOutcome?
  ) throws -> CommitOutcome {
    try reading("The save failed") {
      let plan = try SQLSavePlan(changes, schema: writableEngine().schema)
      func save(isOneByOne: Bool) throws -> CommitOutcome {
        try SQLiteWriteSession.run(in: self, through: target, origin: changes.origin) { session in
          let outcome = try SQLiteSave(plan: plan, session: session, isOneByOne: isOneByOne).run()
          if let other = try rest(session.database) { throw SQLiteSave.Unresolved(outcome: other) }
          return outcome
        }
      }
      do {
        do {
          return try save(isOneByOne: false)
        } catch is SQLiteSave.HasConflicts {
          return try save(isOneByOne: true)
        }
      } catch let unresolved as SQLiteSave.Unresolved {
        return unresolved.outcome
      }
    }
  }

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try permanentReferences(for: objects, through: engine().connections)
  }

  func permanentReferences(
    for objects: [NewObject],
    through target: some SQLiteWriteTarget
  ) throws -> [ObjectReference] {
    try reading("Permanent IDs could not be had") {
      try SQLiteWriteSession.run(in: self, through: target) { session in
        var counts: [Int32: Int] = [:]
        for object in objects { counts[object.layout.rootNumber, default: 0] += 1 }
        var next: [Int32: Int64] = [:]
        for (root, count) in counts { next[root] = try session.reserveKeys(count, root: root) }
        return objects.map { object in
          let key = next[object.layout.rootNumber, default: 0]
          next[object.layout.rootNumber] = key + 1
          return ObjectReference(key: key, entity: object.layout.number, store: index)
        }
      }
    }
  }

  /// - Throws: an error when the store is closed, or may only be read.
  func writableEngine() throws -> Engine {
    let engine = try engine()
    if !isReadOnly, !engine.connections.isReadOnly { return engine }
    let wasAskedFor = (options?[NSReadOnlyPersistentStoreOption] as? Bool) ?? false
    let reason =
      engine.history != nil && !wasAskedFor
      ? "has a history, and can only be read without it; open it with the option NSPersistentHistoryTrackingKey"
      : "was opened read-only and cannot be changed"
    throw StoreFailure.error(
      NSPersistentStoreSaveError,
      message: "The store \(file.path) \(reason).",
      file: file
    )
  }
}
