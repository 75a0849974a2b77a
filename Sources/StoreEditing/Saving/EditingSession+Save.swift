import CoreData
import Foundation
import StoreExploration
import Synchronization

extension EditingSession {
  /// Saves all staged changes. If the save fails, they remain staged.
  ///
  /// A save cannot be undone.
  ///
  /// - Throws: `tookTooLong`, and the errors of the store.
  package func save() async throws -> SaveOutcome { try await save(deciding: [:]) { _ in } }

  /// Begins to save all staged changes, in a task of its own. If the save fails or is cancelled, they remain staged.
  ///
  /// - Parameter decisions: the decisions about conflicts of an earlier save, as for ``settle(_:)``.
  /// - Returns: the save. Without decisions, it is the present save of the session, if one is under way.
  /// - Throws: `saveInProgress` for decisions if another save is under way.
  package func beginSave(deciding decisions: [EditedObject: EditingConflict.Decision] = [:]) throws
    -> StagedSave
  {
    try saves.withLock { latest in
      if let latest, !latest.hasEnded {
        if decisions.isEmpty { return latest }
        throw EditingFailure.saveIsUnderWay
      }
      let save = StagedSave(number: (latest?.number ?? 0) + 1) { whenWaiting in
        try await self.save(deciding: decisions, whenWaiting: whenWaiting)
      }
      latest = save
      return save
    }
  }

  /// The latest save that was begun by ``beginSave(deciding:)``; `nil` before the first one.
  package var latestSave: StagedSave? { saves.withLock { $0 } }

  /// The objects that the last successful save has written; `nil` before the first one.
  package var lastSaved: SavedObjects? { written.withLock { $0 } }

  /// The unsettled conflicts of the last save. Empty if all are settled.
  package func conflicts() async throws -> [EditingConflict] { try await run(\.conflicts) }

  /// Saves the staged changes with decisions about the conflicts of an earlier save.
  ///
  /// A decision is valid for the values that the person has seen. If another context or process has saved
  /// again since then, the outcome contains the new conflict. If the save fails after the decisions, the
  /// changes are staged as decided.
  ///
  /// - Parameter decisions: the decisions about conflicts. Conflicts without a decision are in the outcome again.
  package func settle(_ decisions: [EditedObject: EditingConflict.Decision]) async throws -> SaveOutcome {
    try await save(deciding: decisions) { _ in }
  }

  private func save(
    deciding decisions: [EditedObject: EditingConflict.Decision],
    whenWaiting: @escaping @Sendable (_ since: ContinuousClock.Instant) -> Void
  ) async throws -> SaveOutcome {
    do {
      let saved = try await runWriting(whenWaiting: whenWaiting) { try $0.save(deciding: decisions) }
      written.withLock { $0 = saved }
      return .saved(count: saved.count)
    } catch let refusal as RefusedSave {
      return refusal.outcome
    }
  }
}

/// A save that failed because of invalid values or conflicts.
private struct RefusedSave: Error {
  let outcome: SaveOutcome
}

extension EditingState {
  /// - Returns: the changed objects.
  fileprivate func save(deciding decisions: [EditedObject: EditingConflict.Decision]) throws -> SavedObjects {
    let changes = StagedChanges(self).objects
    context.mergePolicy = SettlingMergePolicy(state: self, decisions: decisions)
    defer { context.mergePolicy = NSMergePolicy.error }
    do {
      try context.save()
    } catch {
      guard let outcome = outcome(of: error as NSError) else { throw error }
      throw RefusedSave(outcome: outcome)
    }
    newObjects.rememberKeys()
    let saved = saved(changes)
    forgetEdits()
    return saved
  }

  /// Describes the objects of a save that has ended. A decision about a conflict may have dropped a new object.
  private func saved(_ changes: [(object: NSManagedObject, kind: StagedObject.Kind)]) -> SavedObjects {
    let present = changes.filter { object, kind in
      kind != .deleted && object.managedObjectContext != nil && !object.isDeleted && !object.objectID.isTemporaryID
    }
    return SavedObjects(
      objects: present.prefix(SavedObjects.mostDescribed).map { link($0.object) },
      entities: Set(changes.compactMap(\.object.entity.name)).sorted(),
      count: changes.count,
      deletedCount: changes.count - present.count
    )
  }

  /// - Returns: `nil` if a person cannot correct the error here.
  private func outcome(of error: NSError) -> SaveOutcome? {
    let conflicts = ConflictReader(state: self, readsNames: true).conflicts(of: error)
    if !conflicts.isEmpty {
      self.conflicts = conflicts
      return .conflicts(conflicts)
    }
    guard ValidationFailures.contain(error) else { return nil }
    return .invalid(
      ValidationFailures.single(of: error).map { failure in
        let object = failure.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
        let property = failure.userInfo[NSValidationKeyErrorKey] as? String
        let field = object.flatMap { object in
          EntityField.all(of: object.entity).first { $0.path.description == property }
        }
        return InvalidValue(
          object: object.map(link),
          property: property,
          message: property.map { ValidationFailures.words(failure, property: $0, attribute: field?.leaf) }
            ?? failure.localizedDescription
        )
      }
    )
  }
}
