import Foundation
import Predicates

/// Conditions, with the functions and collations that `SQLiteFunctions` and `SQLiteCollation` register.
extension SQLiteDialect {
  /// SQLite takes a row of conditions for nested ones, of which it allows 1,000 levels.
  var longestRowOfConditions: Int { 200 }

  // MARK: - Numbers

  func write(_ calculation: SQLCalculation, to writer: inout SQLWriter) throws {
    if calculation.kind == .decimal {
      if !roundsDecimals { try calculation.requireNoDecimal() }
      writer.write("\(SQLiteDecimalFunctions.calculation)('\(calculation.sign.rawValue)', ")
      try calculation.left.write(&writer)
      writer.write(", ")
      try calculation.right.write(&writer)
      return writer.write(")")
    }
    // SQLite keeps a whole number as such also where the column is of another kind, and would divide without rest.
    let isRest = calculation.sign == .divide && !calculation.isWhole
    writer.write("(")
    try calculation.left.write(&writer)
    writer.write(isRest ? " * 1.0 / " : " \(calculation.sign.rawValue) ")
    try calculation.right.write(&writer)
    writer.write(")")
  }

  func writeNumberFunction(_ name: String, of numbers: [SQLScalar], to writer: inout SQLWriter) throws {
    var word = "\(SQLiteNumberFunctions.name(ofFunction: name))("
    for number in numbers {
      writer.write(word)
      try number.write(&writer)
      word = ", "
    }
    writer.write(")")
  }

  /// SQLite's own function ends the statement at the least whole number, whose opposite does not fit.
  func writeAbsolute(of number: SQLScalar, to writer: inout SQLWriter) throws {
    let isSafe = number.kind != .integer || number.width < SQLIntegerWidth.integer
    try writer.writeCall(isSafe ? "ABS" : SQLiteNumberFunctions.name(ofFunction: "abs:"), of: number.write)
  }

  /// SQLite's own function ends the statement at a sum that does not fit.
  func writeSum(ofWhole value: SQLScalar, to writer: inout SQLWriter) throws {
    try writer.writeCall(SQLiteNumberFunctions.wholeSum, of: value.write)
  }

  func writeExact(_ function: SQLAggregateFunction, of decimal: SQLScalar, to writer: inout SQLWriter) throws {
    guard let name = SQLiteDecimalFunctions.name(of: function) else {
      return try write(function, of: decimal, to: &writer)
    }
    try writer.writeCall(name, of: decimal.write)
  }

  // MARK: - Order

  func write(
    _ left: SQLWrite,
    sign: SQLOrderOperator,
    right: SQLWrite,
    by textOrder: TextOrder?,
    to writer: inout SQLWriter
  ) throws {
    try left(&writer)
    writer.write(" \(sign.rawValue) ")
    try right(&writer)
    writeCollation(textOrder, to: &writer)
  }

  func writeSortTerm(
    _ value: SQLWrite,
    by textOrder: TextOrder?,
    isAscending: Bool,
    to writer: inout SQLWriter
  ) throws {
    try value(&writer)
    writeCollation(textOrder, to: &writer)
    if !isAscending { writer.write(" DESC") }
  }

  /// The column's own order is by the codes of the characters.
  private func writeCollation(_ order: TextOrder?, to writer: inout SQLWriter) {
    guard let name = order.flatMap(SQLiteCollation.name) else { return }
    writer.write(" COLLATE \(name)")
  }
}
