#if PostgreSQL
  import PostgreSQLDriver

  /// What the programs that have a store open tell each other through the server: that it was changed.
  ///
  /// A notification says nothing more. Who hears it asks the clock of the store, as does who has heard nothing
  /// for a while, so that one that is lost delays a report and loses none.
  struct PostgreSQLChannel: Sendable {
    /// The name that programs listen to, in the database of the store.
    let name: String
    /// True when the changes of the store have numbers in its history.
    let hasHistory: Bool
    /// True when the server passes notifications on.
    let usesNotifications: Bool
    private let clock: String

    /// - Parameter identifier: that of the store.
    init(
      _ address: PostgreSQLAddress,
      identifier: String,
      hasHistory: Bool,
      usesNotifications: Bool
    ) {
      name = "perennial_\(identifier.lowercased())"
      self.hasHistory = hasHistory
      self.usesNotifications = usesNotifications
      clock = "\(PostgreSQLConnection.identifier(address.schema)).perennial_clock"
    }

    /// Tells of changes that are committed; `nil` where nobody could hear it, and the clock says it all.
    ///
    /// A notification that is part of a transaction has its commit take a lock of the whole server: PostgreSQL's
    /// documentation of NOTIFY speaks of the queue. So it is part of a transaction that does nothing else, and need
    /// not wait for a disk.
    var announcement: SQLStatement? {
      let notification = usesNotifications ? ", pg_notify($1::text, '')" : ""
      let bindings: [SQLValue] = usesNotifications ? [.text(name)] : []
      if hasHistory {
        return usesNotifications
          ? SQLStatement(sql: "SELECT pg_notify($1::text, '')", bindings: bindings) : nil
      }
      return SQLStatement(
        sql: """
          WITH announced AS (UPDATE \(clock) SET announcements = announcements + 1 RETURNING 1) \
          SELECT set_config('synchronous_commit', 'off', true)\(notification) FROM announced
          """,
        bindings: bindings
      )
    }

    /// Has a connection hear what is announced.
    var subscription: String { "LISTEN \(PostgreSQLConnection.identifier(name))" }

    /// Asks for the time of the store.
    var question: String { "SELECT last_transaction, announcements FROM \(clock)" }
  }

  /// The time of a store: its changes so far.
  struct PostgreSQLTime: Sendable {
    /// The number of the last transaction in the history.
    let transaction: Int64
    /// The number of times that changes without a history were told of.
    let announcements: Int64

    /// - Returns: `nil` for an answer without a row.
    init?(_ answer: PostgreSQLResult) {
      guard answer.rowCount > 0, let transaction = answer.integer(0, 0),
        let announcements = answer.integer(0, 1)
      else { return nil }
      self.transaction = transaction
      self.announcements = announcements
    }

    /// True when something was changed since another time.
    func isNews(since other: PostgreSQLTime, hasHistory: Bool) -> Bool {
      if transaction > other.transaction { return true }
      return !hasHistory && announcements != other.announcements
    }
  }
#endif
