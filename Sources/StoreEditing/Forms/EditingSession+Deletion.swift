import CoreData
import Foundation
import StoreExploration

extension EditingSession {
  /// The greatest number of objects that a deletion may delete or change.
  private static let mostTouched = 20_000

  static var tooManyTouched: EditingFailure {
    EditingFailure(
      code: .tooManyObjects,
      problem: "the deletion would touch more than \(mostTouched) objects, or it takes long to find out",
      remedy: "delete the objects in steps, or by a program"
    )
  }

  /// Stages the deletion of an object, with the deletions that the model's rules require.
  ///
  /// The rules apply to the staged state: a staged change may make a deletion possible or impossible.
  ///
  /// - Returns: the number of objects whose deletion is staged by this call.
  /// - Throws: `forbiddenDeletion` if the model forbids the deletion, `tooManyObjects` if it would delete or change
  ///   more than 20,000 objects, `noSuchObject`, and the store's errors. If it throws, nothing is staged.
  @discardableResult
  package func delete(_ object: EditedObject) async throws -> Int {
    if case .key(let key) = object.identity { try await checkExtent(of: object.entity, key: key) }
    return try await runEdit { state in
      let (object, refusals) = try Self.refusals(ofDeleting: object, in: state)
      if !refusals.isEmpty { throw Self.failure(refusals) }
      let before = state.context.deletedObjects
      state.edit("Deletion of \(state.words(object))") {
        if !object.isInserted { state.deletedByHand.insert(object) }
        state.context.delete(object)
      }
      let deleted = state.context.deletedObjects.subtracting(before)
      state.takenAlong[object] = deleted.filter { $0 !== object }
      return deleted.count
    }
  }

  /// The rules of the model that forbid the deletion of an object, in the staged state. Empty if it is allowed.
  ///
  /// - Throws: `tooManyObjects`, `noSuchObject`, and the store's errors.
  package func refusals(ofDeleting object: EditedObject) async throws -> [DeletionRefusal] {
    if case .key(let key) = object.identity { try await checkExtent(of: object.entity, key: key) }
    return try await run { state in try Self.refusals(ofDeleting: object, in: state).refusals }
  }

  /// Finds an object, and the rules of the model that forbid its deletion. Called on the queue of the context.
  private static func refusals(
    ofDeleting edited: EditedObject,
    in state: EditingState
  ) throws -> (object: NSManagedObject, refusals: [DeletionRefusal]) {
    try state.context.throwingReadFailures {
      let object = try state.currentObject(edited)
      return (object, try StagedDeletion(of: object, in: state, most: mostTouched).refusals())
    }
  }

  private static func failure(_ refusals: [DeletionRefusal]) -> EditingFailure {
    let told = 3
    let more = refusals.count > told ? " (and \(refusals.count - told) more reasons)" : ""
    let reasons = refusals.prefix(told).map(\.words).joined(separator: " ")
    return EditingFailure(
      code: .forbiddenDeletion,
      problem:
        "the model forbids the deletion: \(reasons.hasSuffix(".") ? String(reasons.dropLast()) : reasons)\(more)",
      remedy: "remove these objects from the relationship, or delete them first"
    )
  }

  /// Checks the number of objects first, because a deletion loads all of them into memory.
  private func checkExtent(of entity: String, key: Int64) async throws {
    let id = try explored.objectID(try explored.entity(entity), key: key)
    let preview = try await Deletions(in: explored.coordinator).preview(
      of: [id],
      mostObjects: Self.mostTouched,
      mostTold: 1
    )
    if preview.limit != nil { throw Self.tooManyTouched }
  }
}
