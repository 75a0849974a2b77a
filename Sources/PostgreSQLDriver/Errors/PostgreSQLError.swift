#if PostgreSQL
  import Foundation

  /// The error of a statement, or of a connection.
  ///
  /// Neither its description nor its message contains a password or a bound value. The detail of the server
  /// may contain values of rows, and is only for callers that ask for it.
  package struct PostgreSQLError: Error, Sendable {
    /// The SQLSTATE, such as `23505`; `08006` for a lost connection, and `08001` for a connection that could
    /// not be opened: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
    package let state: String
    /// The SQLSTATE with which the server has refused a connection, such as `57P03` while it starts; `nil` for
    /// any other error, and if no server has answered.
    package internal(set) var refusal: String?
    /// A sentence that says what went wrong, without values.
    package let message: String
    /// What the server adds, values of rows among it.
    package internal(set) var detail: String?
    /// The server's advice, or the driver's.
    package internal(set) var hint: String?
    /// The name of the schema that a constraint or a data type belongs to.
    package internal(set) var schema: String?
    /// The name of the table that the error is about.
    package internal(set) var table: String?
    /// The name of the column that the error is about.
    package internal(set) var column: String?
    /// The name of the constraint that was violated.
    package internal(set) var constraint: String?
    /// The place in the statement, as a number of characters from 1.
    package internal(set) var position: Int?
    /// The index of the statement in its batch.
    package internal(set) var statementIndex: Int?
    /// True when it was the deadline that has ended the statement or the wait, with a state of `57014`
    /// as for a cancelled one, `08001`, `08006` or, where no connection became free, `53300`.
    package internal(set) var isTimeout = false
    /// True when the caller has retried the work until its time was over.
    package var wasRepeated = false
    /// True when a prepared statement no longer fits the schema, or the server does not know it. The next run
    /// prepares it again.
    package internal(set) var isPreparedStatementStale = false
    /// True when a row-level security policy would hide rows from a transaction that is to see all.
    package internal(set) var isOfRowSecurity = false
    /// True when the transaction was committed, but its wait for a standby server was cancelled: by the deadline, by the
    /// caller, or by another connection.
    package internal(set) var isUnreplicated = false

    /// True when a session does not have a statement that its connection has prepared, or has another one by
    /// that name, because a connection pooler has assigned another session to the connection.
    package var isOfOtherSession: Bool { state == "26000" || state == "42P05" }

    /// True when the result of a calculation is outside the range of its type.
    package var isOutOfRange: Bool { state == "22003" }

    /// True when the connection was lost: it is unknown whether the statement took effect.
    package var isConnectionLost: Bool { state == "08006" || state == "08003" }
    /// True when the connection could not be opened.
    package var isConnectionRefused: Bool { state == "08001" }
    /// True when the server has reported that it accepts no connection now: it starts, shuts down or recovers,
    /// or has reached its limit of connections.
    package var isServerNotReady: Bool { ["57", "53"].contains(refusal?.prefix(2)) }
    /// True when the server has refused this connection: its user, its password, its database. A proxy before
    /// the server reports other causes with states of class 08.
    package var isRefusedForGood: Bool { refusal.map { !isServerNotReady && !$0.hasPrefix("08") } ?? false }
    /// True when the server is read-only, as a standby server is.
    package var isReadOnly: Bool { state == "25006" }
    /// True when the transaction has to be repeated, because it may have read data that another transaction
    /// has changed.
    package var isSerializationFailure: Bool { state == "40001" }
    /// True when the server has ended the transaction because of a deadlock.
    package var isDeadlock: Bool { state == "40P01" }
    /// True when a row has unique values that another row has.
    package var isUniqueViolation: Bool { state == "23505" }
    /// True when another connection has cancelled the statement; false after a timeout.
    package var isCancelled: Bool { state == "57014" && !isTimeout }
    /// True when the server could not get a lock within the connection's lock timeout.
    package var isLockTimeout: Bool { state == "55P03" }
  }

  extension PostgreSQLError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The message, the advice and the state.
    package var description: String {
      let index = statementIndex.map { ", statement \($0) of its batch" } ?? ""
      return "\(message) (SQLSTATE \(state)\(index))" + (hint.map { " \($0)" } ?? "")
    }

    package var debugDescription: String { description }

    /// The description alone, because a dump must not contain the detail.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
  }

  extension PostgreSQLError: LocalizedError {
    /// The message alone. Errors that wrap this one include it, so a report of both contains it once.
    package var errorDescription: String? { message }
    package var recoverySuggestion: String? { hint }
  }
#endif
