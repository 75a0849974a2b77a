import CSystemSQLite
import Foundation
import Predicates
import SQLiteDriver

/// The SQL functions that every connection of a store has.
enum SQLiteFunctions {
  /// The number whose bits an integer has: lists of numbers go through JSON that way without losing any.
  static let real = "perennial_real"
  /// The data that a text of hexadecimal digits encodes.
  static let blob = "perennial_blob"

  static func register(in database: Database) {
    guard let connection = database.sqliteConnection else { return }
    add(real, arguments: 1, to: connection) { context, _, arguments in
      guard let argument = arguments?[0] else { return }
      sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: sqlite3_value_int64(argument))))
    }
    add(blob, arguments: 1, to: connection) { context, _, arguments in
      guard let argument = arguments?[0] else { return }
      SQLiteFunctions.answerBlob(context, argument: argument)
    }
    registerDerivationFunctions(in: connection)
    SQLiteTextFunctions.register(in: connection)
    SQLiteNumberFunctions.register(in: connection)
    SQLiteDecimalFunctions.register(in: connection)
  }

  /// The triggers of derived attributes in Apple-made stores call these functions. Without them, no row of such a table
  /// could be written. The latter two report changes to Apple's framework, and have no effect on the database.
  private static func registerDerivationFunctions(in connection: OpaquePointer) {
    add("NSCoreDataNow", arguments: 0, isDeterministic: false, to: connection) { context, _, _ in
      sqlite3_result_double(context, SaveClock.now.timeIntervalSinceReferenceDate)
    }
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ] {
      add(name, arguments: 5, isDeterministic: false, to: connection) { context, _, _ in sqlite3_result_null(context) }
    }
  }

  typealias Body = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// - Parameter data: what `sqlite3_user_data` answers in the body.
  static func add(
    _ name: String,
    arguments: Int32,
    isDeterministic: Bool = true,
    data: UnsafeMutableRawPointer? = nil,
    to connection: OpaquePointer,
    body: @escaping Body
  ) {
    // Apple's triggers call functions. In triggers, SQLite may allow only innocuous functions:
    // <https://www.sqlite.org/c3ref/c_deterministic.html#sqliteinnocuous>.
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    sqlite3_create_function_v2(connection, name, arguments, flags, data, body, nil, nil, nil)
  }

  private static func answerBlob(_ context: OpaquePointer?, argument: OpaquePointer) {
    guard let text = sqlite3_value_text(argument) else { return }
    let digits = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(argument)))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { index in
      nibble(digits[index]) << 4 | nibble(digits[index + 1])
    }
    if bytes.isEmpty {
      sqlite3_result_zeroblob(context, 0)
    } else {
      sqlite3_result_blob64(context, bytes, UInt64(bytes.count), DatabaseValue.transient)
    }
  }

  private static func nibble(_ digit: UInt8) -> UInt8 {
    digit <= UInt8(ascii: "9") ? digit &- UInt8(ascii: "0") : digit &- UInt8(ascii: "a") &+ 10
  }
}

/// The collations that a connection has in addition to SQLite's own.
enum SQLiteCollation {
  /// The names of those that sort descriptors ask for are the ones that SQL logs of Apple's framework show.
  private static let names: [TextOrder: String] = [
    .folded(.caseInsensitive): "NSCollateNoCase",
    .locale(): "NSCollateLocaleSensitive",
    .locale(.caseInsensitive): "NSCollateLocaleSensitiveNoCase",
    .locale(.caseInsensitive, numeric: true): "NSCollateFinderlike",
    .folded(.diacriticInsensitive): "perennial_d",
    .folded([.caseInsensitive, .diacriticInsensitive]): "perennial_cd",
    .locale(.diacriticInsensitive): "perennial_dl",
    .locale([.caseInsensitive, .diacriticInsensitive]): "perennial_cdl",
  ]

  static func name(of order: TextOrder) -> String? { names[order] }

  static func register(in database: Database) {
    for (order, name) in names {
      database.addCollation(name) { Int32(order.compare(utf8: $0, utf8: $1).rawValue) }
    }
  }
}
