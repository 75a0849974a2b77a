/// How a connection is opened.
package struct SQLiteConfiguration: Sendable {
  /// How a connection reacts when another connection has locked the database.
  package enum BusyMode: Sendable {
    /// The statement fails with `SQLITE_BUSY`.
    case immediateError
    /// SQLite tries again for so many seconds.
    case timeout(Double)
    /// SQLite calls the function with the number of earlier tries, on the thread that runs the statement. The
    /// function returns whether SQLite tries again.
    case callback(@Sendable (Int) -> Bool)
  }

  package var readonly = false
  package var busyMode = BusyMode.immediateError
  /// True for a connection whose transactions may outlast the work that has begun them. On any other connection, a
  /// transaction that is left open ends the program, because it would keep the database locked.
  package var allowsUnsafeTransactions = false
  private var preparations: [@Sendable (Database) throws -> Void] = []

  package init() {}

  /// Adds work that runs when the connection is open, after work that was added before. If the work throws, the
  /// connection is closed.
  package mutating func prepareDatabase(_ preparation: @escaping @Sendable (Database) throws -> Void) {
    preparations.append(preparation)
  }

  func prepare(_ database: Database) throws {
    for preparation in preparations { try preparation(database) }
  }
}
