/// Values in rows and columns, before a format is chosen.
struct ResultTable {
  let columns: [String]
  /// Each row has a value for every column.
  let rows: [[ResultValue]]
}
