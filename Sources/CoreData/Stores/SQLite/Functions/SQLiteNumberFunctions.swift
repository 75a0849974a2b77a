import CSystemSQLite
import Foundation
import Predicates

/// The functions of numbers that SQLite calls back, which are the evaluator's own.
enum SQLiteNumberFunctions {
  /// The SQL function of a predicate's function: `perennial_sqrt` of `sqrt:`.
  static func name(ofFunction name: String) -> String {
    "perennial_" + name.split(separator: ":").joined(separator: "_").lowercased()
  }

  /// The sum of integers, which is a floating-point number if it overflows.
  static let wholeSum = "perennial_wholesum"

  /// A number without its fraction, for a column of whole numbers.
  static let whole = "perennial_whole"

  static func register(in connection: OpaquePointer) {
    registerWholeSum(in: connection)
    SQLiteFunctions.add(whole, arguments: 1, to: connection) { context, _, arguments in
      guard let argument = arguments?[0] else { return }
      SQLiteNumberFunctions.answerWhole(context, argument: argument)
    }
    for index in functions.indices {
      SQLiteFunctions.add(
        name(ofFunction: functions[index].name),
        arguments: Int32(functions[index].argumentCount),
        data: UnsafeMutableRawPointer(bitPattern: index + 1),
        to: connection
      ) { context, count, arguments in
        SQLiteNumberFunctions.call(context, count: count, arguments: arguments)
      }
    }
  }

  private static func registerWholeSum(in connection: OpaquePointer) {
    sqlite3_create_function_v2(
      connection,
      wholeSum,
      1,
      SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC,
      nil,
      nil,
      { context, _, arguments in
        guard let value = arguments?[0], sqlite3_value_type(value) != SQLITE_NULL else { return }
        guard let sum = SQLiteNumberFunctions.sum(context) else { return sqlite3_result_error_nomem(context) }
        sum.pointee.add(sqlite3_value_int64(value))
      },
      { context in
        SQLiteNumberFunctions.answer(SQLiteNumberFunctions.sum(context)?.pointee.total ?? .integer(0), context)
      },
      nil
    )
  }

  /// Answers with a number without its fraction; an error where it does not fit.
  private static func answerWhole(_ context: OpaquePointer?, argument: OpaquePointer) {
    let number: NumberValue
    switch sqlite3_value_type(argument) {
    case SQLITE_NULL: return sqlite3_result_null(context)
    case SQLITE_INTEGER: return sqlite3_result_int64(context, sqlite3_value_int64(argument))
    case SQLITE_FLOAT: number = .double(sqlite3_value_double(argument))
    default:
      // The text of a sum of decimal numbers.
      guard let decimal = SQLiteDecimalFunctions.number(argument) else { return sqlite3_result_null(context) }
      number = decimal
    }
    guard let whole = number.truncated else {
      return sqlite3_result_error(context, "\(number.any) does not fit the 64 bits of a whole number", -1)
    }
    sqlite3_result_int64(context, Int64(whole))
  }

  /// The sum of a group. The memory that SQLite gives is zero, and so is a sum of nothing.
  private static func sum(_ context: OpaquePointer?) -> UnsafeMutablePointer<WholeSum>? {
    sqlite3_aggregate_context(context, Int32(MemoryLayout<WholeSum>.size))?.assumingMemoryBound(to: WholeSum.self)
  }

  /// Answers with a number; null for none.
  private static func answer(_ number: NumberValue?, _ context: OpaquePointer?) {
    switch number {
    case nil: sqlite3_result_null(context)
    case .integer(let value)?: sqlite3_result_int64(context, value)
    case let value?: sqlite3_result_double(context, value.double)
    }
  }

  private static let functions = NumberFunction.all

  /// Returns the function's result; null where an argument is null.
  private static func call(_ context: OpaquePointer?, count: Int32, arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    let function = functions[Int(bitPattern: sqlite3_user_data(context)) - 1]
    var numbers: [NumberValue] = []
    for index in 0..<Int(count) {
      guard let argument = arguments?[index], let number = number(argument) else { return }
      numbers.append(number)
    }
    do {
      answer(try function(numbers), context)
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
    }
  }

  private static func number(_ argument: OpaquePointer) -> NumberValue? {
    switch sqlite3_value_type(argument) {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(argument))
    case SQLITE_FLOAT: .double(sqlite3_value_double(argument))
    default: nil
    }
  }
}
