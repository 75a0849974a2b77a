import Foundation
import SQLiteDriver

extension SQLiteStore {
  func commit(
    _ changes: ChangeSet,
    through target: some SQLWriteTarget<SQLiteWriteSession>,
    and rest: (SQLiteWriteSession) throws -> CommitOutcome?
  ) throws -> CommitOutcome {
    try reading("The save failed") {
      let plan = try SQLSavePlan(changes, schema: writableEngine().schema)
      func save(isOneByOne: Bool) throws -> CommitOutcome {
        try target.change(self, origin: changes.origin) { session in
          let outcome = try SQLiteSave(plan: plan, session: session, isOneByOne: isOneByOne).run()
          if let other = try rest(session) { throw SQLiteSave.Unresolved(outcome: other) }
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
    through target: some SQLWriteTarget<SQLiteWriteSession>
  ) throws -> [ObjectReference] {
    try reading("Permanent IDs could not be had") {
      try target.change(self) { session in try references(for: objects, reserve: session.reserveKeys) }
    }
  }
}
