/// Finds the keys of the first rows of a slice of a table, in the order of a fetch.
struct SQLiteSlice: Sendable {
  private let statement: SQLStatement
  /// The bound on the number that is the first sort key; `nil` where the first sort key is not a number.
  private let bound: Bound?

  /// A bound of the numbers of rows, which is bound to a statement.
  private struct Bound {
    let place: Int
    let isAscending: Bool
  }

  init(_ statement: SQLStatement) {
    self.statement = statement
    bound = nil
  }

  fileprivate init(_ statement: SQLStatement, boundAt place: Int, isAscending: Bool) {
    self.statement = statement
    bound = Bound(place: place, isAscending: isAscending)
  }

  /// True where the second column of rows is a number, and rows after a bound can be left out.
  var isBounded: Bool { bound != nil }

  /// The statement for rows up to a number in the sort order; `nil` for all rows.
  func statement(upTo last: Double?) -> SQLStatement {
    guard let bound, let last else { return statement }
    var bounded = statement
    bounded.bindings[bound.place] = .real(last)
    return bounded
  }

  /// The one of two numbers whose rows come first.
  func first(_ one: Double, other: Double) -> Double { bound?.isAscending == false ? max(one, other) : min(one, other) }

  /// A number that is not less than an integer, and equal to it where a `Double` can represent it.
  func number(_ integer: Int64) -> Double {
    let nearest = Double(integer)
    if Int64(exactly: nearest) == integer { return nearest }
    return bound?.isAscending == false ? nearest.nextDown : nearest.nextUp
  }
}

extension SQLFetch {
  /// The query for the keys of the first rows of a slice, with which SQLite scans the slice.
  ///
  /// If the first sort key is a number or a date, it follows the primary key, and rows after a bound value
  /// are left out. SQLite then does not need to compare them with the first ones.
  ///
  /// SQLite scans a table by ascending keys. Rows that were added later mostly have later dates and numbers.
  /// In a descending order, nearly each row would therefore displace earlier results. So the query scans by
  /// descending keys in that case, in a subquery that a limit of -1, which means no limit, keeps from being
  /// flattened: <https://www.sqlite.org/optoverview.html#subquery_flattening>. This is not done for texts, because
  /// copying them from one query to the other takes longer than it saves.
  func slice() throws -> SQLiteSlice {
    let key = scope.entity.table.primaryKey
    guard let columns = numericSortColumns, let number = columns.first,
      let isAscending = query.sortDescriptors.first?.ascending
    else { return SQLiteSlice(try rows([key])) }
    var writer = SQLWriter(dialect: dialect)
    write([key, number], to: &writer)
    let isBackwards = query.span?.isAscending == false
    if isBackwards {
      writer.write("(")
      write([key] + columns, to: &writer)
    }
    try scope.writeTables(to: &writer)
    let place = writer.bindings.count
    // Null comes first in an ascending order. In a descending order it comes last, and too few earlier rows may be
    // known.
    let isInTime = SQLCondition.doesNotHold(
      .atom { [scope] writer in
        writer.write(column: SQLColumnReference(alias: scope.alias, name: number))
        writer.write(isAscending ? " > " : " < ")
        writer.bind(.real(isAscending ? .infinity : -.infinity), as: .real)
      }
    )
    try Self.write(.all([isInTime, condition]), to: &writer)
    if isBackwards {
      writer.write(" ORDER BY ")
      writer.write(column: SQLColumnReference(alias: scope.alias, name: key))
      writer.write(" DESC LIMIT -1) \(scope.alias)")
    }
    try writeOrderAndLimit(to: &writer)
    return SQLiteSlice(try writer.checkedStatement(), boundAt: place, isAscending: isAscending)
  }

  /// The columns of numbers and dates that the rows are sorted by; `nil` if the order has other parts.
  private var numericSortColumns: [String]? {
    var columns: [String] = []
    for descriptor in query.sortDescriptors {
      guard let name = descriptor.key, case .slot(let number) = scope.entity.layout.places[name],
        let slot = scope.entity.slots[number], slot.elements.isEmpty,
        [.integer, .real, .decimal].contains(slot.storage)
      else { return nil }
      if !columns.contains(slot.column) { columns.append(slot.column) }
    }
    return columns
  }
}
