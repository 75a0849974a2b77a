import Foundation

/// The values that were bound to a statement. SQLite has no function that returns them, so the statement is compared
/// with its result of `sqlite3_expanded_sql`: <https://www.sqlite.org/c3ref/expanded_sql.html>.
struct ExpandedSQL {
  private let sql: [UInt8]
  private let expanded: [UInt8]
  private var place = 0
  private var expandedPlace = 0
  private(set) var bindings: [SQLValue] = []

  /// - Parameters:
  ///   - sql: a statement with a question mark for each value.
  ///   - expanded: the same with literals in their place.
  init(_ sql: String, expanded: String) {
    self.sql = Array(sql.utf8)
    self.expanded = Array(expanded.utf8)
    while place < self.sql.count {
      switch self.sql[place] {
      case UInt8(ascii: "?"): readBinding()
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): skipQuoted(to: self.sql[place])
      case UInt8(ascii: "["): skipQuoted(to: UInt8(ascii: "]"))
      default: skip(1)
      }
    }
  }

  /// Skips text that is equal in both, and therefore not a value.
  private mutating func skip(_ count: Int) {
    place += count
    expandedPlace += count
  }

  /// A doubled quote ends one quotation and begins another, which has the same effect here.
  private mutating func skipQuoted(to end: UInt8) {
    let length = sql[(place + 1)...].firstIndex(of: end).map { $0 - place + 1 } ?? sql.count - place
    skip(length)
  }

  private mutating func readBinding() {
    place += 1
    while place < sql.count, isDigit(sql[place]) { place += 1 }
    guard expandedPlace < expanded.count else { return }
    switch expanded[expandedPlace] {
    case UInt8(ascii: "'"): bindings.append(.text(String(decoding: readQuoted(), as: UTF8.self)))
    case UInt8(ascii: "x"):
      expandedPlace += 1
      bindings.append(.blob(Self.data(readQuoted())))
    default: bindings.append(readWord())
    }
  }

  private mutating func readQuoted() -> [UInt8] {
    let quote = UInt8(ascii: "'")
    var text: [UInt8] = []
    expandedPlace += 1
    while expandedPlace < expanded.count {
      let end = expanded[expandedPlace...].firstIndex(of: quote) ?? expanded.count
      text += expanded[expandedPlace..<end]
      expandedPlace = end + 1
      guard expandedPlace < expanded.count, expanded[expandedPlace] == quote else { return text }
      text.append(quote)
      expandedPlace += 1
    }
    return text
  }

  /// `NULL`, a number, or `zeroblob(3)`.
  private mutating func readWord() -> SQLValue {
    let start = expandedPlace
    while expandedPlace < expanded.count, isPartOfWord(expanded[expandedPlace]) { expandedPlace += 1 }
    let word = String(decoding: expanded[start..<expandedPlace], as: UTF8.self)
    if word == "zeroblob", expandedPlace < expanded.count {
      let end = expanded[expandedPlace...].firstIndex(of: UInt8(ascii: ")")) ?? expanded.count
      let count = Int(String(decoding: expanded[(expandedPlace + 1)..<end], as: UTF8.self)) ?? 0
      expandedPlace = min(end + 1, expanded.count)
      return .blob(Data(count: count))
    }
    if let number = Int64(word) { return .integer(number) }
    return Double(word).map(SQLValue.real) ?? .null
  }

  /// The data of hexadecimal digits, which may be megabytes.
  private static func data(_ digits: [UInt8]) -> Data {
    func value(_ digit: UInt8) -> UInt8 {
      // The low four bits of a letter, in either case, are nine less than its value.
      digit & 0x0f + (digit & 0x40 == 0 ? 0 : 9)
    }
    var data = Data(capacity: digits.count / 2)
    var place = 0
    while place + 1 < digits.count {
      data.append(value(digits[place]) << 4 | value(digits[place + 1]))
      place += 2
    }
    return data
  }

  private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
