/// The states that an object is in, as a set of bits.
struct ObjectState: OptionSet {
  let rawValue: UInt16

  /// The values have not been requested; the row may be in memory all the same.
  static let fault = ObjectState(rawValue: 1 << 0)
  /// New in its context since the last save.
  static let inserted = ObjectState(rawValue: 1 << 1)
  /// Changed since the last save.
  static let updated = ObjectState(rawValue: 1 << 2)
  /// To be deleted by the next save.
  static let deleted = ObjectState(rawValue: 1 << 3)
  /// The delete rules of its relationships have been applied.
  static let deletionPropagated = ObjectState(rawValue: 1 << 4)
  /// In the context's list of objects with changes, which owns it.
  static let listed = ObjectState(rawValue: 1 << 5)
  /// In the context's list of objects that changed since changes were last processed.
  static let listedForEvent = ObjectState(rawValue: 1 << 6)
  /// In the identity map of its context.
  static let registered = ObjectState(rawValue: 1 << 7)
  /// No longer in any store, or lost by its context.
  static let inaccessible = ObjectState(rawValue: 1 << 8)
  /// Part of the change set that is being saved: its version is incremented when the change set is saved.
  static let inChangeSet = ObjectState(rawValue: 1 << 9)
  /// The object before the current event has been recorded, or it is new in the event.
  static let eventRecorded = ObjectState(rawValue: 1 << 10)
  /// Inserted since changes were last processed.
  static let insertedInEvent = ObjectState(rawValue: 1 << 11)
  /// Each access is checked: confinement is being debugged.
  static let guarded = ObjectState(rawValue: 1 << 12)
  /// Another context has deleted the object and saved: the next save of this context has no work with it.
  static let deletedElsewhere = ObjectState(rawValue: 1 << 13)
  /// The row has values that could not be read.
  static let hasFailures = ObjectState(rawValue: 1 << 14)

  /// The class conforms to `Observable`: accesses and changes are reported to its observers.
  static let observable = ObjectState(rawValue: 1 << 15)

  static let changed: ObjectState = [.inserted, .updated, .deleted]

  init(rawValue: UInt16) { self.rawValue = rawValue }

  // Each access to an object calls these. Those of OptionSet are generic, and take several times as long in a program that is
  // built for debugging.

  init(arrayLiteral states: ObjectState...) {
    var bits: UInt16 = 0
    for state in states { bits |= state.rawValue }
    rawValue = bits
  }

  func contains(_ member: ObjectState) -> Bool { rawValue & member.rawValue == member.rawValue }
  func isSuperset(of other: ObjectState) -> Bool { contains(other) }
  func isDisjoint(with other: ObjectState) -> Bool { rawValue & other.rawValue == 0 }
}
