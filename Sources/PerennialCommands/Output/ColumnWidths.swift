/// The widths of a table's columns on a terminal: a row that does not fit would be broken anywhere.
struct ColumnWidths {
  /// Two spaces stand between columns.
  static let gap = 2

  /// The widths of the longest values and headers.
  let wanted: [Int]
  /// The columns that are never narrowed, since a part of a number is another number.
  let isFixed: [Bool]

  /// The widths with which a row fits: the widest columns are narrowed first, to the same width, and none that could
  /// stay as it is.
  ///
  /// - Parameters:
  ///   - narrowest: the width under which no column is narrowed.
  ///   - width: the columns of the terminal.
  /// - Returns: nil where not even the narrowest columns fit.
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
