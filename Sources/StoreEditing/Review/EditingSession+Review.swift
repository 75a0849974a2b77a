import CoreData
import StoreExploration

extension EditingSession {
  /// The greatest number of objects that a review describes.
  package static let mostReviewed = 200

  /// All staged changes, and the number of objects that are not described.
  package func review() async throws -> StagedReview {
    try await run { StagedChanges($0).review(atMost: Self.mostReviewed) }
  }

  /// The staged new objects of an entity and its subentities, and the number of objects that are not described.
  ///
  /// - Throws: an `ExplorationFailure` with the code `unknownName` if the model does not have the entity.
  package func reviewOfNew(_ entity: String) async throws -> StagedReview {
    try await run { state in
      let entity = try state.explored.entity(entity)
      return StagedChanges(state).review(atMost: Self.mostReviewed) { object, kind in
        kind == .inserted && object.entity.isKindOf(entity: entity)
      }
    }
  }

  /// The staged changes of one object; `nil` if there are none.
  package func stagedChanges(of object: EditedObject) async throws -> StagedObject? {
    guard summary.count > 0 else { return nil }
    return try await run { state in
      guard let object = try state.registeredObject(object) else { return nil }
      return StagedChanges(state).staged(object)
    }
  }

  /// Undoes the last edit.
  ///
  /// - Returns: the name of the edit; `nil` if there was nothing to undo.
  @discardableResult
  package func undo() async throws -> String? {
    try await runEdit { state in
      guard let undone = state.summary.undone else { return nil }
      state.context.undo()
      state.context.processPendingChanges()
      return undone
    }
  }

  /// Redoes the edit that was undone last.
  ///
  /// - Returns: the name of the edit; `nil` if there was nothing to redo.
  @discardableResult
  package func redo() async throws -> String? {
    try await runEdit { state in
      guard let redone = state.summary.redone else { return nil }
      state.context.redo()
      state.context.processPendingChanges()
      return redone
    }
  }

  /// Discards all staged changes. This cannot be undone.
  package func discard() async throws {
    try await runEdit { state in
      state.context.rollback()
      state.forgetEdits()
      state.context.reset()
    }
  }
}

extension EditingState {
  /// The object that an edit identifies; `nil` if it is not registered in the context.
  fileprivate func registeredObject(_ edited: EditedObject) throws -> NSManagedObject? {
    switch edited.identity {
    case .new(let number): return newObjects.object(number)
    case .key(let key):
      let id = try explored.objectID(try explored.entity(edited.entity), key: key)
      return context.registeredObject(for: id)
    }
  }
}
