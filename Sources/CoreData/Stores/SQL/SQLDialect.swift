import Foundation
import Predicates

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
  /// options as a number. It answers 1 or 0, or null where one of the texts is null.
  func textTest(_ operation: TextMatcher.Operation) -> String

  /// The function that folds differences away which do not count, with two arguments: the text and the options.
  var foldFunction: String { get }

  /// The function of one text that has this name in predicates: `lowercase:`.
  func textFunction(_ name: String) -> String

  /// The function of numbers that has this name in predicates: `sqrt:`.
  func numberFunction(_ name: String) -> String

  /// The collation that sorts texts; `nil` for the column's own, by the codes of the characters.
  func collation(_ order: TextOrder) -> String?
}

/// The members of a collection, all of one kind.
enum SQLList {
  case integers([Int64])
  case reals([Double])
  case texts([String])
  case blobs([Data])
}
