/// How a connection is opened.
package struct SQLiteConfiguration: Sendable {
  /// How a connection reacts when another connection has locked the database.
  package enum BusyMode: Sendable {
    /// The statement fails with `SQLITE_BUSY`.
    case immediateError
    /// SQLite tries again for so many seconds.
    case timeout(Double)
    /// The function is called with the number of tries before, on the thread that runs the statement, and answers
    /// whether SQLite tries once more.
    case callback(@Sendable (Int) -> Bool)
  }

  package var readonly = false
  package var busyMode = BusyMode.immediateError
  /// True for a connection whose transactions may go on after the work that has begun them. Of any other connection
  /// a transaction that is left open ends the program: it would keep the database locked.
  package var allowsUnsafeTransactions = false
  private var preparations: [@Sendable (Database) throws -> Void] = []

  package init() {}

  /// Adds work that is done when the connection is open, after that which was added before. The connection is closed
  /// where it throws.
  package mutating func prepareDatabase(_ preparation: @escaping @Sendable (Database) throws -> Void) {
    preparations.append(preparation)
  }

  func prepare(_ database: Database) throws {
    for preparation in preparations { try preparation(database) }
  }
}
