#if PostgreSQL
  import Foundation
  import Predicates

  extension PostgreSQLDialect {
    /// The parser makes one list of a row of conditions.
    var longestRowOfConditions: Int { .max }

    /// A truth value is no number in PostgreSQL.
    func writeValue(of column: SQLColumnReference, _ type: NSAttributeType, to writer: inout SQLWriter) {
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
        case .reals(let values): ("double precision", values.map(\.description))
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

    /// A number of another type than its operator's overflows, rounds or divides otherwise.
    func write(_ calculation: SQLCalculation, to writer: inout SQLWriter) throws {
      let type = calculation.isWhole ? "numeric" : "double precision"
      let isDivision = calculation.sign == .divide || calculation.sign == .remainder
      let function =
        calculation.isWhole && isDivision ? (calculation.sign == .divide ? "div" : "mod") : nil
      writer.write("\(function ?? "")(")
      try calculation.left.write(&writer)
      writer.write("::\(type)\(function == nil ? " \(calculation.sign.rawValue) " : ", ")")
      if isDivision { writer.write("NULLIF(") }
      try calculation.right.write(&writer)
      writer.write("::\(type)\(isDivision ? ", 0)" : ""))")
    }

    /// Where a function has no result, memory says infinity or none, and PostgreSQL that there is an error.
    func writeNumberFunction(_ name: String, of numbers: [SQLScalar], to writer: inout SQLWriter) throws {
      let parts: [String]
      let argument: [Int]
      switch name {
      case "floor:": (parts, argument) = (["floor(", ")"], [0])
      case "ceiling:": (parts, argument) = (["ceil(", ")"], [0])
      case "trunc:": (parts, argument) = (["trunc(", ")"], [0])
      case "sqrt:":
        (parts, argument) = (["CASE WHEN ", " >= 0 THEN sqrt(", "::double precision) END"], [0, 0])
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
      case "onesComplement:" where numbers[0].kind == .integer:
        (parts, argument) = (["(~", "::bigint)"], [0])
      case "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:":
        guard numbers.allSatisfy({ $0.kind == .integer }) else { throw Self.unsaid(name) }
        let sign = ["bitwiseAnd:with:": "&", "bitwiseOr:with:": "|"][name] ?? "#"
        (parts, argument) = (["(", "::bigint \(sign) ", "::bigint)"], [0, 1])
      default: throw Self.unsaid(name)
      }
      writer.write(parts[0])
      for (index, part) in zip(argument, parts.dropFirst()) {
        try numbers[index].write(&writer)
        writer.write(part)
      }
    }

    /// The least whole number of a type has no opposite in it.
    func writeAbsolute(of number: SQLScalar, to writer: inout SQLWriter) throws {
      writer.write("ABS(")
      try number.write(&writer)
      writer.write(number.kind == .integer ? "::numeric)" : ")")
    }

    private static func unsaid(_ name: String) -> any Error {
      SQLUnanswerable(part: name, reason: "PostgreSQL has no function with the same results")
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
      _ sign: SQLOrderOperator,
      _ right: SQLWrite,
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
      try writeFolded(value, options, to: &writer)
    }

    private func writeCollation(_ order: TextOrder?, to writer: inout SQLWriter) throws {
      guard let order else { return }
      if Self.collations[order] != nil { try requireFunctions(for: "An order of texts for people") }
      let name = Self.collations[order].map { qualifier + identifier($0) }
      writer.write(" COLLATE \(name ?? "\"C\"")")
    }
  }
#endif
