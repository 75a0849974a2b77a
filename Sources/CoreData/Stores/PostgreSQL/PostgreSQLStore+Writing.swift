#if PostgreSQL
  import Foundation

  extension PostgreSQLStore {
    func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws -> CommitOutcome {
      let changed = metadataState.changed
      if changes.isEmpty, changed == nil { return try others() ?? .saved(permanentReferences: [:]) }
      var committed: StoreMetadata?
      // The other stores are saved only once, also when this store's transaction is retried.
      var othersAreSaved = false
      let outcome = try commit(changes, through: engine().connections) { session in
        committed = try changed.map {
          try $0.metadata.write($0.changes.keys, connection: session.connection, store: place)
        }
        if othersAreSaved { return nil }
        let outcome = try others()
        othersAreSaved = outcome == nil
        return outcome
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
      through target: some PostgreSQLWriteTarget,
      and rest: (PostgreSQLWriteSession) throws -> CommitOutcome?
    ) throws -> CommitOutcome {
      try reading("The save failed") {
        let engine = try writableEngine()
        let plan = try SQLSavePlan(changes, schema: engine.schema)
        // Keys are assigned before the transaction, which would otherwise block others that need
        // keys.
        let assigned = try plan.assignKeys(store: index, reserve: engine.reserveKeys)
        do {
          return try target.repeating {
            try PostgreSQLWriteSession.run(in: self, through: target, origin: changes.origin) { session in
              session.references.permanent = assigned.references
              let outcome = try PostgreSQLSave(plan: plan, insertedKeys: assigned.keys, session: session)
                .run()
              if let other = try rest(session) { throw PostgreSQLSave.Unresolved(outcome: other) }
              return outcome
            }
          }
        } catch let unresolved as PostgreSQLSave.Unresolved {
          return unresolved.outcome
        }
      }
    }

    func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
      try reading("Permanent IDs could not be had") {
        let engine = try writableEngine()
        var counts: [Int32: Int] = [:]
        for object in objects { counts[object.layout.rootNumber, default: 0] += 1 }
        var next: [Int32: Int64] = [:]
        for (root, count) in counts { next[root] = try engine.reserveKeys(count, root: root) }
        return objects.map { object in
          let key = next[object.layout.rootNumber, default: 0]
          next[object.layout.rootNumber] = key + 1
          return ObjectReference(key: key, entity: object.layout.number, store: index)
        }
      }
    }
  }
#endif
