/// The widths of a table's columns on a terminal, which would break a wider row at any character.
struct ColumnWidths {
  /// The number of spaces between columns.
  static let gap = 2

  /// The widths of the longest value or header of each column.
  let wanted: [Int]
  /// The columns that keep their width, because a part of a number is a different number.
  let isFixed: [Bool]

  /// The widths with which a row fits. The widest columns are narrowed first, all to the same width, and no more of
  /// them than necessary.
  ///
  /// - Parameters:
  ///   - narrowest: the smallest width to which a column is narrowed.
  ///   - width: the number of the terminal's columns.
  /// - Returns: nil where even the narrowest columns do not fit.
  func fitting(_ width: Int, narrowest: Int) -> [Int]? {
    let room = width - Self.gap * (wanted.count - 1)
    var limit = max(wanted.max() ?? 0, narrowest)
    while limit >= narrowest {
      let widths = zip(wanted, isFixed).map { $1 ? $0 : min($0, limit) }
      if widths.reduce(0, +) <= room { return widths }
      limit -= 1
    }
    return nil
  }
}
