/// A change of a relationship.
package enum RelationshipEdit: Hashable, Sendable {
  /// Sets the destination of a to-one relationship, or removes it.
  case set(EditedObject?)
  case add(EditedObject)
  case remove(EditedObject)
  /// Moves a destination of an ordered relationship by a number of positions, which is negative towards the beginning.
  case move(EditedObject, by: Int)
  /// Moves destinations of an ordered relationship to positions, from 1 to the number of destinations. The others keep
  /// their order in the remaining positions.
  case place([EditedObject: Int])
}
