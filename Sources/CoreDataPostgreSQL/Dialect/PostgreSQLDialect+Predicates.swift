#if PostgreSQL
  import CoreData
  import Foundation
  import Predicates

  extension PostgreSQLDialect {
    /// The parser flattens a chain of conditions into one list.
    var longestRowOfConditions: Int { .max }

    /// A boolean is not a number in PostgreSQL.
    func writeValue(of column: SQLColumnReference, type: NSAttributeType, to writer: inout SQLWriter) {
      writer.write(column: column)
      if type == .booleanAttributeType { writer.write("::integer") }
    }

    // MARK: - Lists

    /// Every list is one array, so that one statement serves lists of every length.
    var longestBoundList: Int { 0 }

    func writeMembers(_ list: SQLList, as kind: SQLKind, to writer: inout SQLWriter) {
      let (type, members): (String, [String]) =
        switch list {
        case .integers(let values): ("bigint", values.map(String.init))
        case .reals(let values): (kind == .integer ? "numeric" : "double precision", values.map(\.description))
        case .texts(let values): (kind == .uuid ? "uuid" : kind == .decimal ? "numeric" : "text", values)
        case .blobs(let values): ("bytea", values.map(Self.hexadecimal))
        }
      writer.write("SELECT unnest(")
      writer.bind(.text("{\(members.map(Self.quoted).joined(separator: ","))}"))
      writer.write("::\(type)[])")
    }

    private static func quoted(_ member: String) -> String {
      "\"\(member.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func hexadecimal(_ data: Data) -> String {
      "\\x" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    // MARK: - Numbers

    /// An integer result that does not fit in 64 bits becomes the floating-point number that memory computes, written as
    /// the number of its shortest text. Further calculations with this number are floating-point calculations, which only
    /// memory can do.
    func write(_ calculation: SQLCalculation, to writer: inout SQLWriter) throws {
      try calculation.requireNoDecimal()
      guard calculation.isWhole else { return try write(calculation, asWhole: false, to: &writer) }
      if max(calculation.left.width, calculation.right.width) >= SQLIntegerWidth.overflowing {
        throw SQLUntranslatable(
          part: "A calculation with the result of another one that may not fit 64 bits",
          reason: "PostgreSQL has other results; filter the result in memory"
        )
      }
      if calculation.width < SQLIntegerWidth.overflowing { return try write(calculation, asWhole: true, to: &writer) }
      writer.write("CASE WHEN ")
      try write(calculation, asWhole: true, to: &writer)
      writer.write(" BETWEEN \(Int64.min) AND \(Int64.max) THEN ")
      try write(calculation, asWhole: true, to: &writer)
      writer.write(" ELSE replace(")
      try write(calculation, asWhole: false, to: &writer)
      writer.write("::text, \(Self.leastWhole))::numeric END")
    }

    /// The shortest text of the only floating-point result of an overflow that is an integer in range, and its digits.
    private static let leastWhole = "'-9.223372036854776e+18', '\(Int64.min)'"

    /// A number of another type than its operator's overflows, rounds or divides otherwise.
    private func write(_ calculation: SQLCalculation, asWhole: Bool, to writer: inout SQLWriter) throws {
      let type = asWhole ? "numeric" : "double precision"
      let isDivision = calculation.sign == .divide || calculation.sign == .remainder
      let function = asWhole && isDivision ? (calculation.sign == .divide ? "div" : "mod") : nil
      writer.write("\(function ?? "")(")
      try calculation.left.write(&writer)
      writer.write("::\(type)\(function == nil ? " \(calculation.sign.rawValue) " : ", ")")
      if isDivision { writer.write("NULLIF(") }
      try calculation.right.write(&writer)
      writer.write("::\(type)\(isDivision ? ", 0)" : ""))")
    }

    /// PostgreSQL compares a number of any type with a floating-point one as floating-point numbers, which do not
    /// distinguish all other numbers.
    func comparable(_ left: SQLScalar, right: SQLScalar) -> (SQLScalar, SQLScalar) {
      (exact(left, comparedWith: right), exact(right, comparedWith: left))
    }

    private func exact(_ value: SQLScalar, comparedWith other: SQLScalar) -> SQLScalar {
      guard value.kind == .real else { return value }
      switch other.kind {
      case .decimal: return SQLScalar(.decimal) { try writeDecimal(of: value, to: &$0) }
      case .integer where other.width > SQLIntegerWidth.exactReal:
        return SQLScalar(.decimal) { try writeExact(real: value, to: &$0) }
      default: return value
      }
    }

    /// A floating-point number is the decimal one of its shortest text, as in memory.
    func writeDecimal(of number: SQLScalar, to writer: inout SQLWriter) throws {
      try number.write(&writer)
      writer.write(number.kind == .real ? "::text::numeric" : "::numeric")
    }

    /// Writes a floating-point number for the comparison with whole ones of 64 bits. Its shortest text is on the same side
    /// of each of them, but where it is a whole number of so many digits itself.
    private func writeExact(real: SQLScalar, to writer: inout SQLWriter) throws {
      func write(_ before: String) throws {
        writer.write(before)
        try real.write(&writer)
      }
      try write("CASE WHEN ABS(")
      try write(") >= 9007199254740992 AND ")
      try write(" BETWEEN \(Int64.min) AND 9223372036854774784 THEN ")
      try write("::bigint::numeric ELSE ")
      writer.write("::text::numeric END")
    }

    func writeSum(ofWhole value: SQLScalar, to writer: inout SQLWriter) throws {
      if value.width >= SQLIntegerWidth.overflowing {
        throw SQLUntranslatable(
          part: "A sum of results that may not fit 64 bits",
          reason: "PostgreSQL has another one; filter the result in memory"
        )
      }
      func write(_ before: String, table after: String) throws {
        writer.write(before)
        try value.write(&writer)
        writer.write(after)
      }
      try write("COALESCE(CASE WHEN SUM(", table: ") BETWEEN \(Int64.min) AND \(Int64.max)")
      try write(" THEN SUM(", table: ")")
      try write(
        " ELSE replace(SUM(",
        table: ")::double precision::text, \(Self.leastWhole))::numeric END, 0)"
      )
    }

    /// For a function without a result, memory returns infinity or null, and PostgreSQL raises an error.
    func writeNumberFunction(_ name: String, of numbers: [SQLScalar], to writer: inout SQLWriter) throws {
      let parts: [String]
      let argument: [Int]
      switch name {
      case "floor:": (parts, argument) = (["floor(", ")"], [0])
      case "ceiling:": (parts, argument) = (["ceil(", ")"], [0])
      case "trunc:": (parts, argument) = (["trunc(", ")"], [0])
      case "sqrt:": (parts, argument) = (["CASE WHEN ", " >= 0 THEN sqrt(", "::double precision) END"], [0, 0])
      case "ln:", "log:":
        (parts, argument) = (
          [
            "CASE WHEN ", " > 0 THEN \(name == "ln:" ? "ln" : "log")(",
            "::double precision) WHEN ", " = 0 THEN '-Infinity' END",
          ], [0, 0, 0]
        )
      case "exp:":
        (parts, argument) = (
          [
            "CASE WHEN ", " > 709.78 THEN 'Infinity' WHEN ", " < -745.13 THEN 0 ELSE exp(",
            "::double precision) END",
          ], [0, 0, 0]
        )
      case "onesComplement:" where numbers[0].kind == .integer: (parts, argument) = (["(~", "::bigint)"], [0])
      case "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:":
        guard numbers.allSatisfy({ $0.kind == .integer }) else { throw Self.unsaid(name) }
        let sign = ["bitwiseAnd:with:": "&", "bitwiseOr:with:": "|"][name] ?? "#"
        (parts, argument) = (["(", "::bigint \(sign) ", "::bigint)"], [0, 1])
      default: throw Self.unsaid(name)
      }
      // An argument that is written several times makes nested functions very long.
      if argument.count > numbers.count, try length(of: numbers[0]) > Self.longestRepetition {
        throw Self.unsaid("\(name) of so long an expression")
      }
      writer.write(parts[0])
      for (index, part) in zip(argument, parts.dropFirst()) {
        try numbers[index].write(&writer)
        writer.write(part)
      }
    }

    /// The least integer of a type has no opposite in the type. That of 64 bits is written like the floating-point results
    /// of overflows.
    func writeAbsolute(of number: SQLScalar, to writer: inout SQLWriter) throws {
      let isWide = number.kind == .integer && number.width >= SQLIntegerWidth.integer
      writer.write(isWide ? "replace(ABS(" : "ABS(")
      try number.write(&writer)
      writer.write(number.kind == .integer ? "::numeric)" : ")")
      if isWide { writer.write("::text, '9223372036854775808', '9223372036854776000')::numeric") }
    }

    /// The length of an expression that is written more than once, in bytes.
    private static let longestRepetition = 1_000

    private func length(of number: SQLScalar) throws -> Int {
      var writer = SQLWriter(dialect: self)
      try number.write(&writer)
      return writer.sql.utf8.count
    }

    private static func unsaid(_ name: String) -> any Error {
      SQLUntranslatable(part: name, reason: "PostgreSQL has no function with the same results")
    }

    // MARK: - Order

    /// The collations that a store would make, for the orders that folding has no part in.
    private static let collations: [TextOrder: String] = [
      .locale(): "perennial_locale",
      .locale(.caseInsensitive): "perennial_locale_c",
      .locale(.diacriticInsensitive): "perennial_locale_d",
      .locale([.caseInsensitive, .diacriticInsensitive]): "perennial_locale_cd",
      .locale(.caseInsensitive, numeric: true): "perennial_finderlike",
    ]

    private static let foldings: [TextOrder: TextOptions] = [
      .folded(.caseInsensitive): .caseInsensitive, .folded(.diacriticInsensitive): .diacriticInsensitive,
      .folded([.caseInsensitive, .diacriticInsensitive]): [.caseInsensitive, .diacriticInsensitive],
    ]

    func write(
      _ left: SQLWrite,
      sign: SQLOrderOperator,
      right: SQLWrite,
      by textOrder: TextOrder?,
      to writer: inout SQLWriter
    ) throws {
      try write(left, by: textOrder, to: &writer)
      writer.write(" \(sign.rawValue) ")
      try write(right, by: textOrder, to: &writer)
      try writeCollation(textOrder, to: &writer)
    }

    func writeSortTerm(
      _ value: SQLWrite,
      by textOrder: TextOrder?,
      isAscending: Bool,
      to writer: inout SQLWriter
    ) throws {
      try write(value, by: textOrder, to: &writer)
      try writeCollation(textOrder, to: &writer)
      writer.write(isAscending ? " NULLS FIRST" : " DESC NULLS LAST")
    }

    private func write(_ value: SQLWrite, by order: TextOrder?, to writer: inout SQLWriter) throws {
      guard let options = order.flatMap({ Self.foldings[$0] }) else { return try value(&writer) }
      try writeFolded(value, options: options, to: &writer)
    }

    private func writeCollation(_ order: TextOrder?, to writer: inout SQLWriter) throws {
      guard let order else { return }
      if Self.collations[order] != nil { try requireFunctions(for: "An order of texts for people") }
      let name = Self.collations[order].map { qualifier + identifier($0) }
      writer.write(" COLLATE \(name ?? "\"C\"")")
    }
  }
#endif
