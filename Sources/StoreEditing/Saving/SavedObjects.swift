/// The objects that a save has written.
package struct SavedObjects: Sendable {
  /// The greatest number of objects that are described.
  package static let mostDescribed = 20

  /// The first inserted and updated objects, under their keys in the store.
  package let objects: [EditedLink]
  /// The entities of all written objects, sorted by name. The entities of deleted objects are among them.
  package let entities: [String]
  /// The number of written objects: inserted, updated and deleted ones.
  package let count: Int
  /// The number of deleted objects, and of those that a decision about a conflict has dropped.
  package let deletedCount: Int

  /// The number of inserted and updated objects that are not described.
  package var untoldCount: Int { max(0, count - deletedCount - objects.count) }
}
