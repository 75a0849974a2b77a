import CoreData
import Foundation
import StoreExploration

extension EditingSession {
  /// Saves all staged changes. After a save that fails they are staged as before.
  ///
  /// What is saved cannot be undone any more.
  ///
  /// - Throws: `tookTooLong`, and the errors of the store.
  package func save() async throws -> SaveOutcome { try await save(deciding: [:]) }

  /// The conflicts that the last save met; none where they are settled.
  package func conflicts() async throws -> [EditingConflict] { try await run(\.conflicts) }

  /// Saves with the decisions about conflicts that a save has met.
  ///
  /// A decision counts for what the person has seen: where the others have saved once more since, the new
  /// conflict is the outcome. Where the save fails after the decisions, the changes are staged as decided.
  ///
  /// - Parameter decisions: the decisions about conflicts; those that are left out come again.
  package func settle(_ decisions: [EditedObject: EditingConflict.Decision]) async throws -> SaveOutcome {
    try await save(deciding: decisions)
  }

  private func save(deciding decisions: [EditedObject: EditingConflict.Decision]) async throws -> SaveOutcome
  {
    do {
      return .saved(count: try await runWriting { try $0.save(deciding: decisions) })
    } catch let refusal as RefusedSave {
      return refusal.outcome
    }
  }
}

/// A save that the model or others have refused.
private struct RefusedSave: Error {
  let outcome: SaveOutcome
}

extension EditingState {
  /// - Returns: the number of changed objects.
  fileprivate func save(deciding decisions: [EditedObject: EditingConflict.Decision]) throws -> Int {
    let count = StagedChanges(self).objects.count
    context.mergePolicy = SettlingMergePolicy(state: self, decisions: decisions)
    defer { context.mergePolicy = NSMergePolicy.error }
    do {
      try context.save()
    } catch {
      guard let outcome = outcome(of: error as NSError) else { throw error }
      throw RefusedSave(outcome: outcome)
    }
    newObjects.rememberKeys()
    forgetEdits()
    return count
  }

  /// - Returns: `nil` for an error that no person can do anything about here.
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
