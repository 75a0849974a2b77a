import CoreData

/// The kinds of the staged changes by object, for pages that show the saved store.
///
/// Updated and deleted objects are in the saved store, and a page marks them there. Inserted objects are not, so
/// that only their number is known here.
package struct StagedMarks: Hashable, Sendable {
  private var kinds: [EditedObject: StagedObject.Kind] = [:]
  private var newCounts: [String: Int] = [:]

  package init() {}

  /// Called on the queue of the session's context.
  init(_ changes: StagedChanges, in state: EditingState) {
    for (object, kind) in changes.objects {
      guard kind == .inserted else {
        kinds[state.edited(object)] = kind
        continue
      }
      var entity: NSEntityDescription? = object.entity
      while let current = entity {
        newCounts[current.name ?? "", default: 0] += 1
        entity = current.superentity
      }
    }
  }

  /// The kind of the staged change of a saved object; `nil` if there is none.
  package func kind(of object: EditedObject) -> StagedObject.Kind? { kinds[object] }

  /// The number of objects of an entity and its subentities that a save would insert.
  package func newCount(of entity: String) -> Int { newCounts[entity] ?? 0 }
}
