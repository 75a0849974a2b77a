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

  /// The whole text, with its last line end. A table is for the terminal that is printed on.
  /// - Parameter isRaw: True when tables and CSV have values as they are, with characters that
  ///   terminals and programs for tables take for commands. JSON has escapes for them, which change
  ///   no value.
  func text(_ table: ResultTable, isRaw: Bool = false) throws -> String {
    switch self {
    case .table: TextTable.text(table, isRaw: isRaw, width: Terminal.columns(of: STDOUT_FILENO))
    case .json: try JSONText.text(table)
    case .csv: CSVText.text(table, isRaw: isRaw)
    }
  }
}
