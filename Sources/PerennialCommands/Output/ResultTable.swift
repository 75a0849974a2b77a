import ArgumentParser
import Foundation
import Seeding

/// Values in rows and columns, independent of the output format.
struct ResultTable {
  let columns: [String]
  /// Each row has a value for every column.
  let rows: [[ResultValue]]
}

/// The format in which a table is printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json, csv

  /// The whole text, including its last line break. A table is laid out for the terminal of standard output.
  /// - Parameter isRaw: True when tables and CSV contain values unchanged, with characters that terminals and spreadsheet
  ///   programs interpret as commands. JSON escapes such characters, which does not change the values.
  func text(_ table: ResultTable, isRaw: Bool = false) throws -> String {
    switch self {
    case .table: TextTable.text(table, isRaw: isRaw, width: Terminal.columns(of: STDOUT_FILENO))
    case .json: try JSONText.text(table)
    case .csv: CSVText.text(table, isRaw: isRaw)
    }
  }
}
