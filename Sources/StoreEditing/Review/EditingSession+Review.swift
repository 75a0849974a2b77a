import CoreData
import StoreExploration

extension EditingSession {
  /// The most objects that a review tells of.
  package static let mostReviewed = 200

  /// All staged changes, and the number of those that are not told.
  package func review() async throws -> StagedReview {
    try await run { StagedChanges($0).review(atMost: Self.mostReviewed) }
  }

  /// The staged changes of one object; `nil` where it has none.
  package func stagedChanges(of object: EditedObject) async throws -> StagedObject? {
    guard summary.count > 0 else { return nil }
    return try await run { state in
      guard let object = try state.registeredObject(object) else { return nil }
      return StagedChanges(state).staged(object)
    }
  }

  /// Takes the last edit back.
  ///
  /// - Returns: the name of the edit; `nil` where there was none.
  @discardableResult
  package func undo() async throws -> String? {
    try await run { state in
      guard let undone = state.summary.undone else { return nil }
      state.context.undo()
      state.context.processPendingChanges()
      return undone
    }
  }

  /// Makes the edit again that was undone last.
  ///
  /// - Returns: the name of the edit; `nil` where there was none.
  @discardableResult
  package func redo() async throws -> String? {
    try await run { state in
      guard let redone = state.summary.redone else { return nil }
      state.context.redo()
      state.context.processPendingChanges()
      return redone
    }
  }

  /// Takes all staged changes back, for good.
  package func discard() async throws {
    try await run { state in
      state.context.rollback()
      state.forgetEdits()
      state.context.reset()
    }
  }
}

extension EditingState {
  /// The object that an edit names, where the context has it.
  fileprivate func registeredObject(_ edited: EditedObject) throws -> NSManagedObject? {
    switch edited.identity {
    case .new(let number): return newObjects.object(number)
    case .key(let key):
      let id = try explored.objectID(try explored.entity(edited.entity), key: key)
      return context.registeredObject(for: id)
    }
  }
}
