import ArgumentParser
import Foundation
import Seeding

/// Values in rows and columns, before a format is chosen.
struct ResultTable {
  let columns: [String]
  /// Each row has a value for every column.
  let rows: [[ResultValue]]
}

/// The form in which a table is printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json, csv

  /// The whole text, with its last line end.
  /// - Parameter isRaw: True when tables and CSV have values as they are, with characters that
  ///   terminals and programs for tables take for commands. JSON has escapes for them, which change
  ///   no value.
  func text(_ table: ResultTable, isRaw: Bool = false) throws -> String {
    switch self {
    case .table: TextTable.text(table, isRaw: isRaw)
    case .json: try JSONText.text(table)
    case .csv: CSVText.text(table, isRaw: isRaw)
    }
  }
}

/// A value to print.
indirect enum ResultValue: Hashable {
  case none
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case decimal(Decimal)
  case text(String)
  case date(Date)
  case data(Data)
  case list([ResultValue])
  case fields([String: ResultValue])

  /// The value in one line for people and for CSV; nothing for no value.
  var plainText: String {
    switch self {
    case .none: ""
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .text(let value): value
    case .date(let value): Self.text(value)
    case .data(let value): value.base64EncodedString()
    case .list(let values): values.map(\.plainText).joined(separator: ", ")
    case .fields(let values):
      values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.plainText)" }.joined(separator: ", ")
    }
  }

  /// True when a table sets it to the right.
  var isNumber: Bool {
    switch self {
    case .integer, .real, .decimal: true
    default: false
    }
  }

  /// Fractions of a second are shown where there are any, to the thousandth. Foundation's format
  /// stops the program at dates that are very far away.
  private static func text(_ date: Date) -> String {
    guard let exact = ISO8601Date.text(date) else { return ISO8601Date.words(date) }
    let seconds = date.timeIntervalSinceReferenceDate
    if seconds == seconds.rounded() { return exact }
    return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
