import CSystemSQLite
import Foundation
import Predicates
import SQLiteDriver

/// The sum and the mean of the decimal numbers of all rows, and calculations with two. SQLite's own functions and
/// operators take them for floating-point numbers. A sum and a mean are texts of decimal numbers; a calculation has the
/// number that a column of decimal numbers holds.
enum SQLiteDecimalFunctions {
  private static let sum = "perennial_sum"
  private static let average = "perennial_average"

  /// The function of an operator and two numbers.
  static let calculation = "perennial_decimal"

  static func name(of function: SQLAggregateFunction) -> String? {
    switch function {
    case .sum: sum
    case .average: average
    case .minimum, .maximum: nil
    }
  }

  static func register(in connection: OpaquePointer) {
    SQLiteFunctions.add(calculation, arguments: 3, to: connection) { context, _, arguments in
      SQLiteDecimalFunctions.calculate(context, arguments: arguments)
    }
    add(sum, to: connection) { context in
      guard let state = State.of(context)?.pointee, !state.isEmpty else { return sqlite3_result_int(context, 0) }
      SQLiteDecimalFunctions.answer(state.isReadable ? state.sum.total : nil, context)
    }
    add(average, to: connection) { context in
      guard let state = State.of(context)?.pointee, !state.isEmpty else { return sqlite3_result_null(context) }
      SQLiteDecimalFunctions.answer(state.isReadable ? state.sum.average : nil, context)
    }
  }

  /// Answers with the result of a calculation; null for none, and where a number is missing.
  private static func calculate(_ context: OpaquePointer?, arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let arguments, let word = arguments[0].flatMap({ sqlite3_value_text($0) }),
      let sign = SQLCalculation.Operator(rawValue: String(cString: word)),
      let left = arguments[1].flatMap(number), let right = arguments[2].flatMap(number)
    else { return }
    let result: NumberValue? =
      switch sign {
      case .add: Arithmetic.add(left, right)
      case .subtract: Arithmetic.subtract(left, right)
      case .multiply: Arithmetic.multiply(left, right)
      case .divide: Arithmetic.divide(left, right)
      case .remainder: Arithmetic.remainder(left, right)
      }
    if let whole = result?.decimal?.wholeNumber { return sqlite3_result_int64(context, whole) }
    if let result { sqlite3_result_double(context, result.double) }
  }

  /// The decimal number of a value; `nil` if the value is not a number.
  static func number(_ value: OpaquePointer) -> NumberValue? {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .decimal(Decimal(sqlite3_value_int64(value)))
    case SQLITE_FLOAT:
      let number = NumberValue.double(sqlite3_value_double(value))
      return number.decimal.map(NumberValue.decimal) ?? number
    case SQLITE_TEXT:
      guard let text = sqlite3_value_text(value) else { return nil }
      return Decimal(string: String(cString: text), locale: nil).map(NumberValue.decimal)
    default: return nil
    }
  }

  /// The state of the function between the rows of a group.
  private struct State {
    /// False in the memory that SQLite gives.
    var isBegun = true
    /// False after a value that is not a decimal number.
    var isReadable = true
    var sum = DecimalSum()

    /// True of a group without values.
    var isEmpty: Bool { isReadable && sum.count == 0 }

    static func of(_ context: OpaquePointer?) -> UnsafeMutablePointer<State>? {
      guard let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<State>.size)) else { return nil }
      let state = memory.assumingMemoryBound(to: State.self)
      if !memory.load(as: Bool.self) { state.initialize(to: State()) }
      return state
    }

    mutating func add(_ value: OpaquePointer) {
      switch sqlite3_value_type(value) {
      case SQLITE_NULL: return
      case SQLITE_INTEGER: sum.add(sqlite3_value_int64(value))
      case SQLITE_FLOAT:
        if !sum.add(sqlite3_value_double(value)) { isReadable = false }
      case SQLITE_TEXT:
        guard let text = sqlite3_value_text(value),
          let number = Decimal(string: String(cString: text), locale: nil)
        else { return isReadable = false }
        sum.add(number)
      default: isReadable = false
      }
    }
  }

  private static func add(
    _ name: String,
    to connection: OpaquePointer,
    answer: @escaping @convention(c) (OpaquePointer?) -> Void
  ) {
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC
    sqlite3_create_function_v2(
      connection,
      name,
      1,
      flags,
      nil,
      nil,
      { context, _, arguments in
        guard let value = arguments?[0] else { return }
        guard let state = State.of(context) else { return sqlite3_result_error_nomem(context) }
        state.pointee.add(value)
      },
      answer,
      nil
    )
  }

  private static func answer(_ number: Decimal?, _ context: OpaquePointer?) {
    guard let number else {
      return sqlite3_result_error(context, "the numbers have no sum that is a decimal number", -1)
    }
    sqlite3_result_text(context, number.description, -1, DatabaseValue.transient)
  }
}
