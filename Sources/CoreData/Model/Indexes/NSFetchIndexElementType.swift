/// The ways in which a store builds an element of an index.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// A sorted index, as SQLite's usual ones.
  case binary = 0
  /// An index over ranges of numbers, as SQLite's R*Tree module builds it.
  case rTree = 1
}
