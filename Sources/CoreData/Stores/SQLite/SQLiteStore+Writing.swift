import Foundation
import GRDB

extension SQLiteStore {
  func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws -> CommitOutcome {
    let changed = changedMetadata
    if changes.isEmpty, changed == nil { return try others() ?? .saved(permanentReferences: [:]) }
    let engine = try writableEngine()
    return try reading("The save failed") {
      let plan = try SQLSavePlan(changes, schema: engine.schema)
      var save: SQLiteSave?
      var kept: SQLiteMetadata?
      do {
        try engine.connections.write { database in
          let current = SQLiteSave(
            plan,
            store: self,
            engine: engine,
            database: database,
            origin: changes.origin
          )
          save = current
          try current.run()
          kept = try changed.map { try $0.metadata.write($0.changes.keys, to: database, file: file) }
          if let outcome = try others() { throw SQLiteSave.Conflicts(outcome: outcome) }
        }
      } catch let found as SQLiteSave.Conflicts {
        save?.removeNewFiles()
        return found.outcome
      } catch {
        save?.removeNewFiles()
        throw error
      }
      if let kept, let changed { metadataWereKept(kept, changed.changes) }
      save?.removeOldFiles()
      return .saved(
        permanentReferences: save?.permanent ?? [:],
        transactions: save?.transaction.map { [identifier: $0] } ?? [:]
      )
    }
  }

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    let engine = try writableEngine()
    return try reading("Permanent IDs could not be had") {
      try engine.connections.write { database in
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
