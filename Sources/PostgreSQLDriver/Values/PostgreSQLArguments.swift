#if PostgreSQL
  import CPostgreSQL
  import Foundation

  /// The values of a statement as libpq takes them.
  struct PostgreSQLArguments {
    /// The protocol counts values in 16 bits.
    private static let mostValues = 65_535
    /// The number of bytes that the server accepts in one value.
    private static let mostBytes = (1 << 30) - 1

    /// The values, one after another, each with a zero byte at its end.
    private var storage: [UInt8] = []
    /// Where each value begins; `nil` for null.
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    init(_ values: [PostgreSQLValue]) {
      offsets.reserveCapacity(values.count)
      lengths.reserveCapacity(values.count)
      formats.reserveCapacity(values.count)
      for value in values { append(value) }
    }

    /// The number of bytes of all values.
    var byteCount: Int { storage.count }

    private mutating func append(_ value: PostgreSQLValue) {
      let offset = storage.count
      switch value {
      case .null: break
      case .integer(let integer): storage.append(contentsOf: "\(integer)".utf8)
      case .real(let real): storage.append(contentsOf: Self.text(real).utf8)
      case .text(let text): storage.append(contentsOf: text.utf8)
      case .bytes(let bytes): storage.append(contentsOf: bytes)
      }
      offsets.append(value == .null ? nil : offset)
      lengths.append(Int32(storage.count - offset))
      if case .bytes = value { formats.append(1) } else { formats.append(0) }
      storage.append(0)
    }

    /// The shortest text that represents this number and no other.
    private static func text(_ real: Double) -> String {
      if real.isNaN { return "NaN" }
      if real.isInfinite { return real < 0 ? "-Infinity" : "Infinity" }
      return real.description
    }

    /// Gives the values to a function of libpq: their number, their places, lengths and formats.
    func withPointers<Value>(
      _ body: (Int32, [UnsafePointer<CChar>?], [Int32], [Int32]) throws -> Value
    ) rethrows -> Value {
      try storage.withUnsafeBytes { bytes in
        let places = offsets.map { offset in
          offset.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
        }
        return try body(Int32(places.count), places, lengths, formats)
      }
    }

    /// Checks for values that cannot be sent, before anything is sent.
    ///
    /// - Throws: a ``PostgreSQLError`` that says what it is, and not the value.
    static func check(_ statement: PostgreSQLStatement) throws {
      if statement.values.count > mostValues {
        throw PostgreSQLError(
          state: "54023",
          message:
            "The statement binds \(statement.values.count) values, and PostgreSQL takes \(mostValues).",
          hint: "Bind an array, or use more statements."
        )
      }
      if hasZero(statement.sql) {
        throw PostgreSQLError(state: "22021", message: "The statement has a character U+0000.")
      }
      for (index, value) in statement.values.enumerated() { try check(value, number: index + 1) }
    }

    private static func hasZero(_ text: String) -> Bool {
      text.utf8.withContiguousStorageIfAvailable { bytes in
        bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
      } ?? text.utf8.contains(0)
    }

    private static func check(_ value: PostgreSQLValue, number: Int) throws {
      let count: Int
      switch value {
      case .text(let text):
        if hasZero(text) {
          throw PostgreSQLError(
            state: "22021",
            message: """
              Value \(number) of the statement is a text with the character U+0000, which PostgreSQL does not keep.
              """,
            hint: "Remove the character, or keep the text as bytes."
          )
        }
        count = text.utf8.count
      case .bytes(let bytes): count = bytes.count
      case .null, .integer, .real: return
      }
      if count > mostBytes {
        throw PostgreSQLError(
          state: "54000",
          message: "Value \(number) of the statement has \(count) bytes, and PostgreSQL takes \(mostBytes)."
        )
      }
    }
  }
#endif
