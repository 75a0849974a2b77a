#if PostgreSQL
  import CoreData
  import Foundation

  /// Functions of the values of all rows.
  extension PostgreSQLDialect {
    /// PostgreSQL has no MIN and MAX of UUIDs, and its average of integers is not a floating-point number. Its
    /// average of floating-point numbers also adds up their squares, which overflow sooner.
    ///
    /// A sum of integers that overflows is an error, like in SQLite, and memory computes the groups. The reader would not
    /// notice each such sum, because a limit or a condition may leave out its group. A calculated integer that overflows is
    /// an error in a sum, too. So is the least integer, because it may be the result of an overflow (`leastWhole`).
    func write(_ function: SQLAggregateFunction, of value: SQLScalar, to writer: inout SQLWriter) throws {
      if function == .average, value.kind == .real {
        writer.write("(SUM(")
        try value.write(&writer)
        writer.write("::double precision) / NULLIF(COUNT(")
        try value.write(&writer)
        return writer.write("), 0))")
      }
      let (before, inside, outside) =
        switch (function, value.kind) {
        case (.minimum, .uuid), (.maximum, .uuid): ("", "::text", "::uuid")
        case (.average, _): ("", "::double precision", "")
        case (.sum, .integer) where value.width >= SQLIntegerWidth.overflowing:
          ("(", " - 1)::bigint + 1", "::bigint")
        case (.sum, .integer) where !value.isColumn: ("", "::bigint", "::bigint")
        // The sum of a narrower column has 64 bits.
        case (.sum, .integer) where value.width > SQLIntegerWidth.width(of: .integer32AttributeType):
          ("", "", "::bigint")
        default: ("", "", "")
        }
      writer.write("\(function.rawValue)(\(before)")
      try value.write(&writer)
      writer.write("\(inside))\(outside)")
    }

    /// In memory, the sum of no floating-point numbers is the integer 0. A column here has one type, and no
    /// other sum is a negative zero.
    func writeSum(ofReal value: SQLScalar, to writer: inout SQLWriter) throws {
      writer.write("CASE WHEN COUNT(")
      try value.write(&writer)
      writer.write(") = 0 THEN '-0'::double precision ELSE SUM(")
      try value.write(&writer)
      writer.write("::double precision) + 0 END")
    }

    /// Writes a text: `12.5` for a sum and `12.5/3` for a mean, which memory divides. The text is empty for
    /// the sum of no values, and `?` where some order of adding needs more digits than a `Decimal` has.
    func writeExact(_ function: SQLAggregateFunction, of decimal: SQLScalar, to writer: inout SQLWriter)
      throws
    {
      func write(_ before: String, table after: String) throws {
        writer.write(before)
        try decimal.write(&writer)
        writer.write(after)
      }
      try write("CASE WHEN COUNT(", table: ") = 0 THEN \(function == .sum ? "''" : "NULL")")
      try write(" WHEN SUM(ABS(", table: "))")
      try write(" * power(10::numeric, MAX(scale(", table: "))) < 1e38")
      try write(" THEN SUM(", table: ")::text")
      if function == .average { try write(" || '/' || COUNT(", table: ")") }
      writer.write(" ELSE '\(Self.tooManyDigits)' END")
    }

    /// The result that marks a sum which has to be computed in memory.
    static let tooManyDigits = "?"
  }

  /// Reads values of groups.
  enum PostgreSQLAggregateValue {
    /// - Parameter cell: `nil` for null.
    /// - Returns: `nil` for a value that does not have the query's type.
    static func read(_ content: SQLAggregateContent, _ cell: (some SQLCell)?, store: Int32) -> StoredValue? {
      guard let cell else { return .null }
      switch content {
      case .integer: return (try? cell.integer()).map(StoredValue.integer)
      case .truth: return (try? cell.integer()).flatMap { 0...1 ~= $0 ? .integer($0) : nil }
      case .real: return (try? cell.real()).map(StoredValue.real)
      case .sum: return (try? cell.real()).map { $0 == 0 && $0.sign == .minus ? .integer(0) : .real($0) }
      case .number: return number(cell)
      case .exact: return (try? cell.text()).flatMap(exact)
      case .decimal: return (try? cell.decimal()).map(StoredValue.decimal)
      case .text: return (try? cell.text()).map(StoredValue.text)
      case .uuid: return (try? cell.uuid()).map(StoredValue.uuid)
      case .uri: return (try? cell.url()).map { .object($0) }
      case .data: return (try? cell.bytes()).map { .data(Data($0)) }
      case .reference(let entity):
        guard let key = try? cell.integer(), key > 0 else { return nil }
        return .reference(ObjectReference(key: key, entity: entity, store: store))
      }
    }

    /// Floating point stays floating point. A result of integers is an integer as long as it fits. The least integer may be
    /// the result of an overflow (`PostgreSQLDialect.leastWhole`), which is a floating-point number in memory.
    private static func number(_ cell: some SQLCell) -> StoredValue? {
      if cell.exactInteger == nil, let real = cell.exactReal { return .real(real) }
      return (try? cell.integer()).flatMap { $0 == .min ? nil : .integer($0) }
    }

    /// Reads the dialect's text for the sum or the mean of decimal numbers.
    private static func exact(_ text: String) -> StoredValue? {
      if text.isEmpty { return .integer(0) }
      let parts = text.split(separator: "/").map { Decimal(string: String($0), locale: nil) }
      guard text != PostgreSQLDialect.tooManyDigits, case let sum?? = parts.first else { return nil }
      if parts.count == 1 { return .decimal(sum) }
      return parts[1].map { .decimal(sum / $0) }
    }
  }
#endif
