#if PostgreSQL
  import CoreData
  import Foundation

  extension PostgreSQLStore {
    func commit(
      _ changes: ChangeSet,
      through target: some SQLWriteTarget<PostgreSQLWriteSession>,
      and rest: (PostgreSQLWriteSession) throws -> CommitOutcome?
    ) throws -> CommitOutcome {
      try reading("The save failed") {
        let engine = try writableEngine()
        let plan = try SQLSavePlan(changes, schema: engine.schema)
        // Keys are assigned before the transaction, which would otherwise block others that need keys.
        let assigned = try plan.assignKeys(store: index, reserve: engine.reserveKeys)
        do {
          return try target.change(self, origin: changes.origin) { session in
            session.references.permanent = assigned.references
            let outcome = try PostgreSQLSave(plan: plan, insertedKeys: assigned.keys, session: session).run()
            if let other = try rest(session) { throw PostgreSQLSave.Unresolved(outcome: other) }
            return outcome
          }
        } catch let unresolved as PostgreSQLSave.Unresolved {
          return unresolved.outcome
        }
      }
    }

    /// Inserts rows that are kept as long as the insertion can begin again.
    func insertAll(
      _ insertion: BatchInsertion,
      through target: some SQLWriteTarget<PostgreSQLWriteSession>
    ) throws -> BatchOutcome {
      try reading("The batch insertion failed") {
        let rows = PostgreSQLRepeatedRows(insertion)
        return try target.change(self, origin: insertion.origin, canRepeat: { rows.canRepeat }) {
          try $0.insert(rows.fromBeginning())
        }
      }
    }

    func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
      try reading("Permanent IDs could not be had") {
        try references(for: objects, reserve: writableEngine().reserveKeys)
      }
    }
  }
#endif
