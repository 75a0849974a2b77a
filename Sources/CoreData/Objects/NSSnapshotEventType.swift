/// The reasons for which an object was given other values.
public struct NSSnapshotEventType: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
  /// A change of values was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
  /// The context was rolled back.
  public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
  /// The object was refreshed.
  public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
  /// A merge policy resolved a conflict.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}

/// A kind of change of an ordered relationship at some places, which Foundation declares on Apple's platforms.
public enum NSKeyValueChange: UInt, Sendable {
  /// All of it is another.
  case setting = 1
  /// Objects are inserted.
  case insertion = 2
  /// Objects are removed.
  case removal = 3
  /// Objects are replaced by others.
  case replacement = 4
}

/// A kind of change of a to-many relationship as a whole, which Foundation declares on Apple's platforms.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// Objects are added.
  case union = 1
  /// Objects are removed.
  case minus = 2
  /// All objects but the given ones are removed.
  case intersect = 3
  /// All objects are replaced by the given ones.
  case set = 4
}
