/// The decision on a property of an existing object whose record has another value.
enum ValueDecision: Equatable {
  /// The object gets the record's value.
  case apply
  /// The object keeps its value.
  case leave
  /// A user and the seed have both changed the value. The report gets a conflict.
  case conflict(isSeedTaken: Bool)

  /// True if the object gets the record's value.
  var applies: Bool { self == .apply || self == .conflict(isSeedTaken: true) }

  /// Decides on a value.
  /// - Parameters:
  ///   - isCreateOnly: True if only new objects get the property.
  ///   - isMerged: True if a user's changes are kept, and the ledger knows the object by its key.
  ///   - said: The digests of the values that seeds have recorded for the property.
  ///   - new: The digest of the record's value; nil if it does not have one.
  ///   - present: The digest of the object's value; nil if it does not have one.
  ///   - isUntouched: True if the object has the value of a new object. If no seed has set the
  ///     property, it has then never been set.
  ///   - policy: The value that wins a conflict.
  static func decide(
    isCreateOnly: Bool,
    isMerged: Bool,
    said: @autoclosure () -> [UInt64],
    new: () -> UInt64?,
    present: () -> UInt64?,
    isUntouched: () -> Bool,
    policy: SeedConflictPolicy
  ) -> ValueDecision {
    if isCreateOnly { return .leave }
    guard isMerged else { return .apply }
    let said = said()
    if said.isEmpty {
      if isUntouched() { return .apply }
    } else {
      if new().map(said.contains) ?? false { return .leave }
      if present().map(said.contains) ?? false { return .apply }
    }
    return .conflict(isSeedTaken: policy == .takeSeed)
  }

  /// Decides on additions to a list and removals from it, which a merge applies once: they state
  /// nothing about the other members, so that they cannot conflict with a user's change.
  static func decideChange(
    isCreateOnly: Bool,
    isMerged: Bool,
    said: @autoclosure () -> [UInt64],
    new: () -> UInt64?
  ) -> ValueDecision {
    if isCreateOnly { return .leave }
    guard isMerged else { return .apply }
    let said = said()
    return !said.isEmpty && new().map(said.contains) ?? false ? .leave : .apply
  }
}
