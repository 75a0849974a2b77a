/// The decision on a relationship of an existing object that a record sets.
enum ReferenceDecision: Equatable {
  /// The relationship has the record's members already.
  case keep
  /// The relationship keeps other members, and the record claims nothing about them.
  case leave
  /// The relationship gets the record's members.
  case write
  /// The record removes links that seeds may state which the store has already and which the run
  /// has not read. The run starts again and reads them.
  case readUnchangedSeeds

  /// Decides on a relationship.
  /// - Parameters:
  ///   - isSame: True if the relationship has the record's members.
  ///   - applies: True if the record's members win over the present ones.
  ///   - removesUnreadLinks: True if a link is removed that unread seeds may state.
  static func decide(
    isSame: Bool,
    applies: @autoclosure () -> Bool,
    removesUnreadLinks: @autoclosure () -> Bool
  ) -> ReferenceDecision {
    if isSame { return .keep }
    guard applies() else { return .leave }
    return removesUnreadLinks() ? .readUnchangedSeeds : .write
  }
}
