#if PostgreSQL
  import CoreData
  import PostgreSQLDriver

  /// Notifications between the programs that have a store open. The server carries them:
  /// <https://www.postgresql.org/docs/current/sql-notify.html>.
  ///
  /// A notification says only that the store was changed. A program that receives one queries the store's clock,
  /// and also does so after a while without notifications. A lost notification therefore delays a report, but no
  /// report is lost.
  struct PostgreSQLChannel: Sendable {
    /// The name that programs listen to, in the database of the store.
    let name: String
    /// True when the changes of the store have numbers in its history.
    let hasHistory: Bool
    /// True when the server passes notifications on.
    let usesNotifications: Bool
    private let clock: String

    /// - Parameter identifier: the identifier of the store.
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

    /// The statement that announces committed changes; `nil` if the server does not deliver notifications and the
    /// history's clock is enough.
    ///
    /// The commit of a transaction with a notification takes a lock of the whole server, because all notifications
    /// share one queue: <https://www.postgresql.org/docs/current/sql-notify.html>. So the notification has a
    /// transaction of its own, which does not need to wait for a disk.
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

    /// The statement with which a connection subscribes to announcements.
    var subscription: String { "LISTEN \(PostgreSQLConnection.identifier(name))" }

    /// Asks for the time of the store.
    var question: String { "SELECT last_transaction, announcements FROM \(clock)" }
  }

  /// The time of a store: its changes so far.
  struct PostgreSQLTime: Sendable {
    /// The number of the last transaction in the history.
    let transaction: Int64
    /// The number of announced changes, in a store without a history.
    let announcements: Int64

    /// - Returns: `nil` for an answer without a row.
    init?(_ answer: PostgreSQLResult) {
      guard answer.rowCount > 0, let transaction = answer.integer(0, column: 0),
        let announcements = answer.integer(0, column: 1)
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
