import CoreData
import Foundation
import StoreExploration

extension EditingSession {
  /// The most objects that one deletion may touch.
  private static let mostTouched = 20_000

  static var tooManyTouched: EditingFailure {
    EditingFailure(
      code: .tooManyObjects,
      problem: "the deletion would touch more than \(mostTouched) objects, or it takes long to find out",
      remedy: "delete the objects in steps, or by a program"
    )
  }

  /// Stages the deletion of an object and of what the model's rules take along.
  ///
  /// The rules are looked at with all staged changes: a deletion is allowed where a staged change has made it
  /// possible, and refused where one has made it impossible.
  ///
  /// - Returns: the number of objects that are staged to be deleted by it.
  /// - Throws: `forbiddenDeletion` for a deletion that the model forbids, `tooManyObjects` for one that would
  ///   touch more than 20,000 objects, `noSuchObject`, and the store's errors. Nothing is staged then.
  @discardableResult
  package func delete(_ object: EditedObject) async throws -> Int {
    if case .key(let key) = object.identity { try await checkExtent(of: object.entity, key: key) }
    return try await run { state in
      let object = try state.currentObject(object)
      let refusals = try StagedDeletion(of: object, in: state, most: Self.mostTouched).refusals()
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

  /// The rules of the model that forbid the deletion of an object, staged changes included; none where it is
  /// allowed.
  ///
  /// - Throws: `tooManyObjects`, `noSuchObject`, and the store's errors.
  package func refusals(ofDeleting object: EditedObject) async throws -> [DeletionRefusal] {
    if case .key(let key) = object.identity { try await checkExtent(of: object.entity, key: key) }
    return try await run { state in
      let object = try state.currentObject(object)
      return try StagedDeletion(of: object, in: state, most: Self.mostTouched).refusals()
    }
  }

  private static func failure(_ refusals: [DeletionRefusal]) -> EditingFailure {
    let told = 3
    let more = refusals.count > told ? " (and \(refusals.count - told) more reasons)" : ""
    let reasons = refusals.prefix(told).map(\.words).joined(separator: " ")
    return EditingFailure(
      code: .forbiddenDeletion,
      problem: "the model forbids the deletion: \(reasons.hasSuffix(".") ? String(reasons.dropLast()) : reasons)\(more)",
      remedy: "remove these objects from the relationship, or delete them first"
    )
  }

  /// A deletion brings what it takes along into memory.
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
