import Foundation
import GRDB

extension SQLiteStore {
  func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws -> CommitOutcome {
    let changed = changedMetadata
    if changes.isEmpty, changed == nil { return try others() ?? .saved(permanentReferences: [:]) }
    var kept: StoreMetadata?
    let outcome = try keep(changes, through: engine().connections) { database in
      kept = try changed.map { try $0.metadata.write($0.changes.keys, to: database, file: file) }
      return try others()
    }
    if case .saved = outcome, let kept, let changed { metadataWereKept(kept, changed.changes) }
    return outcome
  }

  /// Keeps a change set in a transaction, or as a part of one.
  ///
  /// - Parameter rest: what is done when the changes are written; what it throws, or answers, takes them back.
  func keep(
    _ changes: ChangeSet,
    through target: some SQLiteWriteTarget,
    and rest: (Database) throws -> CommitOutcome?
  ) throws -> CommitOutcome {
    let engine = try writableEngine()
    return try reading("The save failed") {
      let plan = try SQLSavePlan(changes, schema: engine.schema)
      var save: SQLiteSave?
      // A commit that fails may be on the disk all the same, with rows that name the new files.
      var isWritten = false
      do {
        try target.write { database in
          try engine.guardian?.check(database, engine)
          let current = SQLiteSave(
            plan,
            store: self,
            engine: engine,
            database: database,
            origin: changes.origin
          )
          save = current
          try current.run()
          if let outcome = try rest(database) { throw SQLiteSave.Conflicts(outcome: outcome) }
          isWritten = true
        }
      } catch let found as SQLiteSave.Conflicts {
        save?.removeNewFiles()
        return found.outcome
      } catch {
        if !isWritten { save?.removeNewFiles() }
        throw error
      }
      if let save { target.release(save.files, engine.external) }
      return .saved(
        permanentReferences: save?.permanent ?? [:],
        transactions: save?.transaction.map { [identifier: $0] } ?? [:]
      )
    }
  }

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try permanentReferences(for: objects, through: engine().connections)
  }

  func permanentReferences(
    for objects: [NewObject],
    through target: some SQLiteWriteTarget
  ) throws -> [ObjectReference] {
    let engine = try writableEngine()
    return try reading("Permanent IDs could not be had") {
      try target.write { database in
        try engine.guardian?.check(database, engine)
        let keys = SQLitePrimaryKeys(engine: engine, database: database)
        var counts: [Int32: Int] = [:]
        for object in objects { counts[object.layout.rootNumber, default: 0] += 1 }
        var next: [Int32: Int64] = [:]
        for (root, count) in counts { next[root] = try keys.reserve(count, root: root) }
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
      "The store \(file.path) \(reason).",
      file: file
    )
  }
}
