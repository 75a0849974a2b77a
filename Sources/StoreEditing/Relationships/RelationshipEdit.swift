/// A change of a relationship.
package enum RelationshipEdit: Hashable, Sendable {
  /// Gives a to-one relationship another destination, or none.
  case set(EditedObject?)
  case add(EditedObject)
  case remove(EditedObject)
  /// Moves a destination of an ordered relationship towards its end, or by a negative number of places
  /// towards its beginning.
  case move(EditedObject, by: Int)
  /// Moves a destination of an ordered relationship to a place, from 1 to the number of destinations.
  case place(EditedObject, at: Int)
}
