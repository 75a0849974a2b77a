import CSystemSQLite
import Foundation
import Predicates
import SQLiteDriver

/// The sum and the mean of the decimal numbers of all rows. SQLite's own functions add them up as
/// floating-point numbers; these answer with the text of a decimal number.
enum SQLiteDecimalFunctions {
  private static let sum = "perennial_sum"
  private static let average = "perennial_average"

  static func name(of function: SQLAggregateFunction) -> String? {
    switch function {
    case .sum: sum
    case .average: average
    case .minimum, .maximum: nil
    }
  }

  static func register(in connection: OpaquePointer) {
    add(sum, to: connection) { context in
      guard let state = State.of(context)?.pointee, !state.isEmpty else {
        return sqlite3_result_int(context, 0)
      }
      SQLiteDecimalFunctions.answer(state.isReadable ? state.sum.total : nil, context)
    }
    add(average, to: connection) { context in
      guard let state = State.of(context)?.pointee, !state.isEmpty else {
        return sqlite3_result_null(context)
      }
      SQLiteDecimalFunctions.answer(state.isReadable ? state.sum.average : nil, context)
    }
  }

  /// What is kept between the rows of a group.
  private struct State {
    /// False in the memory that SQLite gives.
    var isBegun = true
    /// False after a value that is no decimal number.
    var isReadable = true
    var sum = DecimalSum()

    /// True of a group without values.
    var isEmpty: Bool { isReadable && sum.count == 0 }

    static func of(_ context: OpaquePointer?) -> UnsafeMutablePointer<State>? {
      guard let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<State>.size)) else {
        return nil
      }
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
