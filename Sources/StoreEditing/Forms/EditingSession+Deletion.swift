import CoreData
import Foundation
import StoreExploration

extension EditingSession {
  /// The most objects that one deletion may touch.
  private static let mostTouched = 20_000

  /// Stages the deletion of an object and of what the model's rules take along.
  ///
  /// - Returns: the number of objects that are staged to be deleted by it.
  /// - Throws: `tooManyObjects` for a deletion that would touch more than 20,000 objects,
  ///   `noSuchObject`, and the store's errors.
  @discardableResult
  package func delete(_ object: EditedObject) async throws -> Int {
    if case .key(let key) = object.identity { try await checkExtent(of: object.entity, key) }
    return try await run { state in
      let object = try state.currentObject(object)
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

  /// A deletion brings what it takes along into memory.
  private func checkExtent(of entity: String, _ key: Int64) async throws {
    let id = try explored.objectID(try explored.entity(entity), key)
    let preview = try await Deletions(in: explored.coordinator).preview(
      of: [id],
      mostObjects: Self.mostTouched,
      mostTold: 1
    )
    guard preview.limit == nil else {
      throw EditingFailure(
        .tooManyObjects,
        "the deletion would touch more than \(Self.mostTouched) objects, or it takes long to find out",
        remedy: "delete the objects in steps, or by a program"
      )
    }
  }
}
