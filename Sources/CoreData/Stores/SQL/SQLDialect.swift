import Foundation

/// The differences between one SQL database and the next: the words of the language, and how values
/// are bound.
///
/// A store has a dialect, which writes, and a connection, which runs; it inherits neither. The
/// defaults here and in the protocols that it refines are what the SQL standard says.
protocol SQLDialect: SQLPredicateDialect, SQLSchemaDialect, SQLStatementDialect {
  /// A name as a statement spells it, quoted where it must be.
  func identifier(_ name: String) -> String

  /// The placeholder of the binding with this number, from 1 up, beside a column that tells its
  /// type.
  func placeholder(_ number: Int) -> String

  /// The placeholder of a binding in an expression, which may have to tell its type.
  ///
  /// - Parameters:
  ///   - number: the number of the binding, from 1 up.
  ///   - value: the value that is bound.
  ///   - kind: the kind of the value; `nil` where the value says it.
  func placeholder(_ number: Int, of value: SQLValue, as kind: SQLKind?) -> String

  /// The condition that always holds, or never.
  func literal(_ truth: Bool) -> String

  /// The operator that finds two operands equal also where both are null: `a IS b`.
  var nullSafeEqual: String { get }

  /// The opposite of `nullSafeEqual`.
  var nullSafeNotEqual: String { get }

  /// The name behind a query in parentheses that takes the place of a table; empty where it needs
  /// none.
  var derivedTableAlias: String { get }

  /// Writes the end of a query that answers only some of its rows; nothing for no limit (0) and no
  /// offset.
  func writeLimit(_ limit: Int, offset: Int, to writer: inout SQLWriter)

  // MARK: - Values

  /// The value that is bound for a UUID.
  func binding(_ uuid: UUID) -> SQLValue

  /// The value that is bound for a decimal number; `nil` for one that is no number.
  func binding(_ decimal: Decimal) -> SQLValue?

  /// The bytes before data that may lie in files of their own, where the column has the data
  /// itself; `nil` where columns have all data as they are.
  var externalDataMark: Data? { get }
}

extension SQLDialect {
  func placeholder(_ number: Int, of value: SQLValue, as kind: SQLKind?) -> String { placeholder(number) }

  func literal(_ truth: Bool) -> String { truth ? "TRUE" : "FALSE" }

  var nullSafeEqual: String { "IS NOT DISTINCT FROM" }

  var nullSafeNotEqual: String { "IS DISTINCT FROM" }

  var derivedTableAlias: String { "" }
}
