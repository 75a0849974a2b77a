/// Finds the keys of the first rows of a slice of a table, in the order of a fetch.
struct SQLiteSlice: Sendable {
  private let statement: SQLStatement
  /// What the order asks of the number by which it sorts first; `nil` where it begins with none.
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

  /// True where rows have numbers in their second column, and those behind some number can be left out.
  var isBounded: Bool { bound != nil }

  /// The statement for rows that do not come behind those with some number; `nil` for all rows.
  func statement(upTo last: Double?) -> SQLStatement {
    guard let bound, let last else { return statement }
    var bounded = statement
    bounded.bindings[bound.place] = .real(last)
    return bounded
  }

  /// The one of two numbers whose rows come first.
  func first(_ one: Double, _ other: Double) -> Double {
    bound?.isAscending == false ? max(one, other) : min(one, other)
  }

  /// A number that does not come before an integer, and is it where a `Double` can be.
  func number(_ integer: Int64) -> Double {
    let nearest = Double(integer)
    if Int64(exactly: nearest) == integer { return nearest }
    return bound?.isAscending == false ? nearest.nextDown : nearest.nextUp
  }
}

extension SQLFetch {
  /// The query of the keys of the first rows of a slice, by which SQLite goes over it.
  ///
  /// Where rows are sorted by a number or a date first, it stands behind the key, and rows behind one that
  /// is bound are left out: SQLite does not need to look for their places among the first ones.
  ///
  /// SQLite goes over a table by ascending keys. What is added later mostly has later dates and numbers:
  /// where the order is descending, nearly each row would take the place of others. So rows are gone over by
  /// descending keys then, in a query inside that the limit of -1, which is none, keeps apart. Texts would
  /// be copied from one query to the other, which takes longer than it saves.
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
    // Null comes first in an ascending order; in a descending one too few rows may be known to come before.
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

  /// The columns of numbers and dates that the rows are sorted by; `nil` where something else is a part of
  /// the order.
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
