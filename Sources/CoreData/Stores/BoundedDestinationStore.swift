/// A store that can read the first destinations of a relationship without the others.
package protocol BoundedDestinationStore: ObjectStore {
  /// The first destinations of a to-many relationship, in order where it is ordered.
  ///
  /// - Parameters:
  ///   - relationship: the number of the relationship in the layout.
  ///   - reference: the object that the relationship leads from.
  ///   - layout: the layout of the object's entity.
  ///   - limit: the largest number of destinations, from 1.
  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout,
    atMost limit: Int
  ) throws -> [ObjectReference]
}
