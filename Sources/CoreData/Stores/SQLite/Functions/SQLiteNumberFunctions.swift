import CSystemSQLite
import Foundation
import Predicates

/// The functions of numbers that SQLite calls back, which are the evaluator's own.
enum SQLiteNumberFunctions {
  /// The SQL function of a predicate's function: `perennial_sqrt` of `sqrt:`.
  static func name(ofFunction name: String) -> String {
    "perennial_" + name.split(separator: ":").joined(separator: "_").lowercased()
  }

  static func register(in connection: OpaquePointer) {
    for index in functions.indices {
      SQLiteFunctions.add(
        name(ofFunction: functions[index].name),
        arguments: Int32(functions[index].argumentCount),
        data: UnsafeMutableRawPointer(bitPattern: index + 1),
        to: connection
      ) { context, count, arguments in
        SQLiteNumberFunctions.call(context, count, arguments)
      }
    }
  }

  private static let functions = NumberFunction.all

  /// Answers with the function's result; null where an argument is null.
  private static func call(
    _ context: OpaquePointer?,
    _ count: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    let function = functions[Int(bitPattern: sqlite3_user_data(context)) - 1]
    var numbers: [NumberValue] = []
    for index in 0..<Int(count) {
      guard let argument = arguments?[index], let number = number(argument) else { return }
      numbers.append(number)
    }
    do {
      switch try function(numbers) {
      case nil: sqlite3_result_null(context)
      case .integer(let value)?: sqlite3_result_int64(context, value)
      case let value?: sqlite3_result_double(context, value.double)
      }
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
