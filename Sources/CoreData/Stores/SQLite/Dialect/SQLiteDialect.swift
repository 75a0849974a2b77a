import Foundation
import Predicates

/// The SQL of SQLite, with the functions and collations that `SQLiteFunctions` registers.
struct SQLiteDialect: SQLDialect {
  var roundsDecimals = false

  func identifier(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain ? name : "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\""
  }

  func placeholder(_ number: Int) -> String { "?" }

  /// SQLite evaluates a constant once, but before it keeps a constant it compares it with all others that it keeps.
  /// It does not keep function calls (`sqlite3ExprCodeRunJustOnce`).
  func amongMany(_ constant: String) -> String { "ifnull(\(constant), NULL)" }

  /// SQLite may be built with fewer values for a statement than by default, but hardly is.
  private static let mostBindings = 32_766

  func check(_ bindings: [SQLValue]) throws {
    try requireAtMost(Self.mostBindings, bindings: bindings, database: "SQLite")
  }

  func literal(_ truth: Bool) -> String { truth ? "1" : "0" }

  var nullSafeEqual: String { "IS" }

  func writeLimit(_ limit: Int, offset: Int, to writer: inout SQLWriter) {
    guard limit > 0 || offset > 0 else { return }
    // SQLite requires a limit before an offset; a negative limit means no limit:
    // <https://www.sqlite.org/lang_select.html>.
    writer.write(" LIMIT ")
    writer.bind(.integer(limit > 0 ? Int64(limit) : -1))
    guard offset > 0 else { return }
    writer.write(" OFFSET ")
    writer.bind(.integer(Int64(offset)))
  }

  // MARK: - Values

  func binding(_ uuid: UUID) -> SQLValue { .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) }) }

  /// Decimal columns store integers as such and other numbers as floating point, as Apple-made stores do.
  func binding(_ decimal: Decimal) -> SQLValue? { SQLConstants.binding(decimal) }

  var externalDataMark: Data? { ExternalDataFolder.inline(Data()) }
}

/// Makes tables and indexes, and writes rows.
extension SQLiteDialect {
  func columnType(_ storage: SQLStorage, of attribute: NSAttributeType?) -> String {
    switch storage {
    case .integer, .order: "INTEGER"
    case .real: attribute == .dateAttributeType ? "TIMESTAMP" : "FLOAT"
    case .decimal: "DECIMAL"
    case .text, .uri: "VARCHAR"
    case .uuid, .transformable, .binary: "BLOB"
    }
  }

  /// Spelled as in Apple-made stores.
  func indexElement(_ column: String, isAscending: Bool) -> String {
    "\(identifier(column)) COLLATE BINARY \(isAscending ? "ASC" : "DESC")"
  }

  func triggers(of schema: SQLSchema) throws -> [String] {
    try SQLiteTriggerBuilder(schema: schema, dialect: self).triggers().map { $0.creation(self) }
  }

  // MARK: - Rows

  func insertionOfMissing(into table: String, columns: [String], rows: String) -> String {
    "INSERT OR IGNORE INTO \(identifier(table)) (\(columns.map(identifier).joined(separator: ", "))) \(rows)"
  }

  /// SQLite determines the violated constraint itself: <https://www.sqlite.org/lang_upsert.html>.
  func conflictTarget(_ constraints: [SQLConstraint]) -> String { "" }

  func conflictingColumn(_ column: String, of table: String) -> String { identifier(column) }

  /// A column of whole numbers would keep a fraction, and what does not fit 64 bits.
  func writeAssigned(
    _ value: SQLWrite,
    _ scalar: SQLScalar,
    to attribute: NSAttributeDescription,
    to writer: inout SQLWriter
  ) throws {
    let isWhole = scalar.kind == .integer && scalar.width < SQLIntegerWidth.overflowing
    guard SQLKind(attribute) == .integer, !isWhole else { return try value(&writer) }
    try writer.writeCall(SQLiteNumberFunctions.whole, of: value)
  }

  /// Every table has a `rowid`, and an integer primary key is the same column:
  /// <https://www.sqlite.org/rowidtable.html>.
  func rowIdentifier(ofKey columns: [String]) -> String { "rowid" }
}
