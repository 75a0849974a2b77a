import Foundation
import Predicates

/// The SQL of SQLite, with the functions and collations that `SQLiteFunctions` registers.
struct SQLiteDialect: SQLDialect {
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

  func literal(_ truth: Bool) -> String { truth ? "1" : "0" }

  var nullSafeEqual: String { "IS" }

  var nullSafeNotEqual: String { "IS NOT" }

  func writeLimit(_ limit: Int, offset: Int, to writer: inout SQLWriter) {
    guard limit > 0 || offset > 0 else { return }
    // SQLite has no offset without a limit; a negative one is none.
    writer.write(" LIMIT ")
    writer.bind(.integer(limit > 0 ? Int64(limit) : -1))
    guard offset > 0 else { return }
    writer.write(" OFFSET ")
    writer.bind(.integer(Int64(offset)))
  }

  // MARK: - Values

  func binding(_ uuid: UUID) -> SQLValue { .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) }) }

  /// Decimal columns keep whole numbers as such and others as floating point, as Apple-made stores
  /// do.
  func binding(_ decimal: Decimal) -> SQLValue? { SQLConstants.binding(decimal) }

  var externalDataMark: Data? { ExternalDataFolder.inline(Data()) }
}
