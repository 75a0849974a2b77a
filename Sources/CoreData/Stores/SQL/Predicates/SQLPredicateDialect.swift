import Foundation
import Predicates

/// The differences between one SQL database and the next in conditions, and in values that are compared and sorted.
///
/// A condition that a dialect writes is true if the evaluation in memory is true, and false or null otherwise. It is
/// null for a missing value, so that ``NullRule/asInSQL`` is the rule of negations. If a dialect cannot write such a
/// condition, it throws.
package protocol SQLPredicateDialect: Sendable {
  /// The number of conditions that one chain of AND or OR may have.
  var longestRowOfConditions: Int { get }

  /// The greatest number of list members that each get a placeholder.
  var longestBoundList: Int { get }

  /// Writes a query of the members of a list, for lists too long for a placeholder each.
  func writeMembers(_ list: SQLList, as kind: SQLKind, to writer: inout SQLWriter)

  /// Writes the value of an attribute's column. A truth value is 1 or 0, as it is in predicates.
  func writeValue(of column: SQLColumnReference, type: NSAttributeType, to writer: inout SQLWriter)

  // MARK: - Texts

  /// Writes a test of a text, which is null if one of the texts is null. With an empty constant as a beginning, end
  /// or part, it may be false.
  func write(_ test: SQLTextTest, to writer: inout SQLWriter) throws

  /// Writes a text with the differences folded away that do not count.
  func writeFolded(_ text: SQLWrite, options: TextOptions, to writer: inout SQLWriter) throws

  /// Writes the call of the function of one text that has this name in predicates: `lowercase:`.
  func writeTextFunction(_ name: String, of text: SQLWrite, to writer: inout SQLWriter) throws

  // MARK: - Numbers

  /// True where the result of a calculation with decimal numbers may be rounded, because it is assigned to a column,
  /// which stores no more digits. An expression for comparing or sorting must not be rounded.
  var roundsDecimals: Bool { get }

  /// Writes a calculation with two numbers, which is null if there is no result.
  ///
  /// - Throws: ``SQLUntranslatable`` where the result may differ from memory's.
  func write(_ calculation: SQLCalculation, to writer: inout SQLWriter) throws

  /// Writes a number as a decimal one.
  func writeDecimal(of number: SQLScalar, to writer: inout SQLWriter) throws

  /// Two numbers of different kinds, as the database compares them without a loss.
  func comparable(_ left: SQLScalar, right: SQLScalar) -> (SQLScalar, SQLScalar)

  /// Writes the sum of the whole numbers of all rows, 0 for that of none. One that does not fit 64 bits is the
  /// nearest floating-point number.
  func writeSum(ofWhole value: SQLScalar, to writer: inout SQLWriter) throws

  /// Writes the distance of a number from zero.
  func writeAbsolute(of number: SQLScalar, to writer: inout SQLWriter) throws

  /// Writes the call of the function of numbers that has this name in predicates: `sqrt:`.
  func writeNumberFunction(_ name: String, of numbers: [SQLScalar], to writer: inout SQLWriter) throws

  /// Writes the call of a function of the values of all rows.
  func write(_ function: SQLAggregateFunction, of value: SQLScalar, to writer: inout SQLWriter) throws

  /// Writes the sum of the floating-point numbers of all rows, 0 for that of none.
  func writeSum(ofReal value: SQLScalar, to writer: inout SQLWriter) throws

  /// Writes the sum or the mean of the decimal numbers of all rows, as the reader of the dialect wants it: the
  /// result may be a text, which has another order than numbers.
  func writeExact(_ function: SQLAggregateFunction, of decimal: SQLScalar, to writer: inout SQLWriter) throws

  // MARK: - Order

  /// Writes the comparison of two values by their order.
  ///
  /// - Parameter textOrder: the order of texts; `nil` for values of other kinds.
  func write(
    _ left: SQLWrite,
    sign: SQLOrderOperator,
    right: SQLWrite,
    by textOrder: TextOrder?,
    to writer: inout SQLWriter
  ) throws

  /// Writes a term of `ORDER BY`. Nulls come before all values in ascending order.
  ///
  /// - Parameter textOrder: the order of texts; `nil` for values of other kinds.
  func writeSortTerm(
    _ value: SQLWrite,
    by textOrder: TextOrder?,
    isAscending: Bool,
    to writer: inout SQLWriter
  ) throws
}

extension SQLPredicateDialect {
  package func writeValue(of column: SQLColumnReference, type: NSAttributeType, to writer: inout SQLWriter) {
    writer.write(column: column)
  }

  package var roundsDecimals: Bool { false }

  package func comparable(_ left: SQLScalar, right: SQLScalar) -> (SQLScalar, SQLScalar) { (left, right) }

  package func writeDecimal(of number: SQLScalar, to writer: inout SQLWriter) throws { try number.write(&writer) }

  package func writeAbsolute(of number: SQLScalar, to writer: inout SQLWriter) throws {
    try writer.writeCall("ABS", of: number.write)
  }

  package func write(_ function: SQLAggregateFunction, of value: SQLScalar, to writer: inout SQLWriter) throws {
    try writer.writeCall(function.rawValue, of: value.write)
  }

  /// The sum of infinities of both signs is NaN, which databases return as null, and must not become 0.
  package func writeSum(ofReal value: SQLScalar, to writer: inout SQLWriter) throws {
    try writer.writeCall("CASE WHEN COUNT", of: value.write)
    writer.write(" = 0 THEN 0 ELSE ")
    try write(.sum, of: value, to: &writer)
    writer.write(" END")
  }
}

/// The members of a collection, all of one kind.
package enum SQLList {
  case integers([Int64])
  case reals([Double])
  case texts([String])
  case blobs([Data])

  var count: Int {
    switch self {
    case .integers(let values): values.count
    case .reals(let values): values.count
    case .texts(let values): values.count
    case .blobs(let values): values.count
    }
  }

  var values: [SQLValue] {
    switch self {
    case .integers(let values): values.map(SQLValue.integer)
    case .reals(let values): values.map(SQLValue.real)
    case .texts(let values): values.map(SQLValue.text)
    case .blobs(let values): values.map(SQLValue.blob)
    }
  }
}

/// The test of a text against another one: `title BEGINSWITH[c] 'a'`.
package struct SQLTextTest {
  /// A text that is the same for all rows, or an expression.
  package enum Side {
    case constant(String)
    case expression(SQLWrite)

    func write(to writer: inout SQLWriter) throws {
      switch self {
      case .constant(let text): writer.bind(.text(text), as: .text)
      case .expression(let write): try write(&writer)
      }
    }
  }

  package let operation: TextMatcher.Operation
  package let options: TextOptions
  package let text: Side
  package let pattern: Side
}

/// A calculation with two numbers.
package struct SQLCalculation {
  package enum Operator: String {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
  }

  package let left: SQLScalar
  package let sign: Operator
  package let right: SQLScalar
  /// The kind of the result. The result of integers is an integer unless it overflows. If one number is decimal, so
  /// is the result.
  let kind: SQLKind

  init(left: SQLScalar, sign: Operator, right: SQLScalar) {
    let kinds = [left.kind, right.kind]
    let other: SQLKind = kinds.contains(.decimal) ? .decimal : .real
    self.init(left: left, sign: sign, right: right, kind: kinds == [.integer, .integer] ? .integer : other)
  }

  init(left: SQLScalar, sign: Operator, right: SQLScalar, kind: SQLKind) {
    self.left = left
    self.sign = sign
    self.right = right
    self.kind = kind
  }

  package var isWhole: Bool { kind == .integer }

  /// The width of a whole result.
  package var width: Int {
    isWhole ? SQLIntegerWidth.width(of: left.width, sign: sign, right: right.width) : SQLIntegerWidth.integer
  }

  /// - Throws: ``SQLUntranslatable`` for decimal numbers, of whose digits the database has more or fewer than memory.
  package func requireNoDecimal() throws {
    guard kind == .decimal else { return }
    throw SQLUntranslatable(
      part: "A calculation with decimal numbers (\(sign.rawValue))",
      reason: "the database has other digits; filter the result in memory"
    )
  }
}

/// A function of the values of many rows, by its name in SQL.
package enum SQLAggregateFunction: String {
  case sum = "SUM"
  case average = "AVG"
  case minimum = "MIN"
  case maximum = "MAX"
}
