import ArgumentParser

/// How a table is printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json, csv

  /// The whole text, with its last line end.
  func text(_ table: ResultTable) throws -> String {
    switch self {
    case .table: TextTable.text(table)
    case .json: try JSONText.text(table)
    case .csv: CSVText.text(table)
    }
  }
}
