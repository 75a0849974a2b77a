import CSystemSQLite
import Foundation
import Predicates
import SQLiteDriver

/// The SQL functions on texts: the evaluation in memory calls the same code, so that both agree on all of Unicode.
enum SQLiteTextFunctions {
  static let fold = "perennial_fold"
  /// Whether a text ends with the bytes of another one. No character of UTF-8 ends with the bytes of another,
  /// so that this is to end with its characters.
  static let hasSuffix = "perennial_hassuffix"

  static func name(of operation: TextMatcher.Operation) -> String { "perennial_\(operation.rawValue.lowercased())" }

  /// `perennial_lowercase` for `lowercase:`.
  static func name(ofFunction name: String) -> String {
    "perennial_\(name.filter { $0 != ":" }.lowercased())"
  }

  /// Returns true for the error of a statement in which a regular expression could not be matched.
  static func hasGivenUp(_ error: DatabaseError) -> Bool {
    error.message?.contains(PredicateEvaluationError.givenUp) == true
  }

  static func register(in connection: OpaquePointer) {
    for operation in operations {
      // The number of the operation, because a C function cannot capture a value.
      let number = UnsafeMutableRawPointer(bitPattern: operation.offset + 1)
      SQLiteFunctions.add(name(of: operation.element), arguments: 3, data: number, to: connection) {
        SQLiteTextFunctions.test($0, count: $1, arguments: $2)
      }
    }
    SQLiteFunctions.add(fold, arguments: 2, to: connection) { context, _, arguments in
      guard let arguments, let text = SQLiteTextFunctions.text(arguments[0]) else { return }
      let options = TextOptions(rawValue: Int(sqlite3_value_int64(arguments[1])))
      SQLiteTextFunctions.answer(context, options.folded(text))
    }
    SQLiteFunctions.add(hasSuffix, arguments: 2, to: connection) { context, _, arguments in
      guard let arguments, let text = sqlite3_value_text(arguments[0]),
        let suffix = sqlite3_value_text(arguments[1])
      else { return }
      let length = Int(sqlite3_value_bytes(arguments[0]))
      let count = Int(sqlite3_value_bytes(arguments[1]))
      let isSuffix = length >= count && memcmp(text + (length - count), suffix, count) == 0
      sqlite3_result_int(context, isSuffix ? 1 : 0)
    }
    registerTextFunctions(in: connection)
  }

  private static func registerTextFunctions(in connection: OpaquePointer) {
    SQLiteFunctions.add(name(ofFunction: "uppercase:"), arguments: 1, to: connection) { context, _, arguments in
      guard let text = SQLiteTextFunctions.text(arguments?[0]) else { return }
      SQLiteTextFunctions.answer(context, text.uppercased())
    }
    SQLiteFunctions.add(name(ofFunction: "lowercase:"), arguments: 1, to: connection) { context, _, arguments in
      guard let text = SQLiteTextFunctions.text(arguments?[0]) else { return }
      SQLiteTextFunctions.answer(context, text.lowercased())
    }
    SQLiteFunctions.add(name(ofFunction: "canonical:"), arguments: 1, to: connection) { context, _, arguments in
      guard let text = SQLiteTextFunctions.text(arguments?[0]) else { return }
      let options: TextOptions = [.caseInsensitive, .diacriticInsensitive]
      SQLiteTextFunctions.answer(context, options.folded(text))
    }
    SQLiteFunctions.add(name(ofFunction: "length:"), arguments: 1, to: connection) { context, _, arguments in
      guard let text = SQLiteTextFunctions.text(arguments?[0]) else { return }
      sqlite3_result_int64(context, Int64(text.utf16.count))
    }
  }

  private static let operations: [(offset: Int, element: TextMatcher.Operation)] = Array(
    [TextMatcher.Operation.equal, .beginsWith, .endsWith, .contains, .like, .matches].enumerated()
  )

  /// Keeps a prepared pattern from one row to the next.
  private final class Prepared {
    let matcher: TextMatcher
    init(_ matcher: TextMatcher) { self.matcher = matcher }
  }

  /// Tests the first argument against the second; the third is the options.
  private static func test(_ context: OpaquePointer?, count: Int32, arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let arguments, let context, let text = arguments[0],
      sqlite3_value_type(text) != SQLITE_NULL, sqlite3_value_type(arguments[1]) != SQLITE_NULL
    else { return }
    do {
      let prepared = try prepared(context, arguments: arguments)
      // When memory is exhausted, a text must not be treated as missing.
      guard let bytes = sqlite3_value_text(text) else { return sqlite3_result_error_nomem(context) }
      let utf8 = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(text)))
      sqlite3_result_int(context, try prepared.matcher.matches(utf8: utf8) ? 1 : 0)
    } catch {
      sqlite3_result_error(context, error.localizedDescription, -1)
    }
  }

  /// SQLite keeps auxiliary data of an argument as long as the argument stays the same:
  /// <https://www.sqlite.org/c3ref/get_auxdata.html>.
  private static func prepared(
    _ context: OpaquePointer,
    arguments: UnsafeMutablePointer<OpaquePointer?>
  ) throws -> Prepared {
    if let cached = sqlite3_get_auxdata(context, 1) {
      return Unmanaged<Prepared>.fromOpaque(cached).takeUnretainedValue()
    }
    let operation = operations[Int(bitPattern: sqlite3_user_data(context)) - 1].element
    let matcher = try TextMatcher(
      operation,
      pattern: text(arguments[1]) ?? "",
      options: TextOptions(rawValue: Int(sqlite3_value_int64(arguments[2])))
    )
    let prepared = Prepared(matcher)
    // SQLite owns it from here on, and releases it by this function when it gives it up.
    sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(prepared).toOpaque()) { cached in
      guard let cached else { return }
      Unmanaged<Prepared>.fromOpaque(cached).release()
    }
    return prepared
  }

  /// The text of an argument; `nil` for null.
  private static func text(_ value: OpaquePointer?) -> String? {
    guard let value, sqlite3_value_type(value) != SQLITE_NULL, let bytes = sqlite3_value_text(value) else {
      return nil
    }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
  }

  private static func answer(_ context: OpaquePointer?, _ text: String) {
    var text = text
    text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return sqlite3_result_text(context, "", 0, DatabaseValue.transient) }
      start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        sqlite3_result_text64(context, $0, UInt64(bytes.count), DatabaseValue.transient, UInt8(SQLITE_UTF8))
      }
    }
  }
}
