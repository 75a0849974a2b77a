/// What differs from one SQL database to the next.
///
/// A store has a dialect, which writes, and a connection, which runs; it inherits neither.
protocol SQLDialect: Sendable {
  /// A name as a statement spells it, quoted where it must be.
  func identifier(_ name: String) -> String

  /// The placeholder of the binding with this number, from 1 up.
  func placeholder(_ number: Int) -> String

  /// Writes the end of a query that answers only some of its rows; nothing for no limit (0) and no offset.
  func writeLimit(_ limit: Int, offset: Int, to writer: inout SQLWriter)

  /// The declared type of a column.
  func columnType(_ storage: SQLStorage, of attribute: NSAttributeType?) -> String

  /// The operator that finds two operands equal also where both are null: `a IS b`.
  var nullSafeEqual: String { get }

  /// The opposite of `nullSafeEqual`.
  var nullSafeNotEqual: String { get }

  /// Writes a query of the members of a list, for lists too long for a placeholder each.
  func writeMembers(_ list: SQLList, to writer: inout SQLWriter)

  /// How many members a list may have that gets a placeholder for each.
  var longestBoundList: Int { get }

  /// The function that tests text as `NSPredicate` does, with three arguments: the text, the operand and the
  /// options as a number. It answers 1, 0, or null where one of the texts is null.
  func textFunction(_ test: SQLTextTest) -> String

  /// The collation under which texts are sorted as a selector of `NSSortDescriptor` compares them; `nil` when
  /// there is none. Plain `compare:` has the name of the column's own order.
  func collation(forSelector name: String) -> String?
}

/// A test of text that databases have no operator for.
enum SQLTextTest: String, CaseIterable, Sendable {
  case contains, beginsWith, endsWith, like, matches, equal, less, lessOrEqual
}

/// The members of a collection, all of one kind.
enum SQLList {
  case integers([Int64])
  case reals([Double])
  case texts([String])
  case blobs([Data])
}
