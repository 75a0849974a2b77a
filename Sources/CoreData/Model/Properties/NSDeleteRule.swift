/// The rule that says what deleting an object does to the objects that one of its relationships
/// leads to.
public enum NSDeleteRule: UInt, Sendable {
  /// The destinations stay as they are and may go on referring to the deleted object.
  case noActionDeleteRule = 0
  /// The inverse relationship of each destination no longer refers to the deleted object.
  case nullifyDeleteRule = 1
  /// The destinations are deleted too.
  case cascadeDeleteRule = 2
  /// The object cannot be deleted while there are destinations.
  case denyDeleteRule = 3
}
