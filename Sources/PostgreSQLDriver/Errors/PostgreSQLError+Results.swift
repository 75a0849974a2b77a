#if PostgreSQL
  import CPostgreSQL

  extension PostgreSQLError {
    /// The error of a connection that is lost.
    ///
    /// - Parameter message: the message of libpq or the server.
    static func lost(_ message: String) -> PostgreSQLError {
      let reason = sentence(message)
      return PostgreSQLError(
        state: "08006",
        message: reason.isEmpty
          ? "The connection to the server is lost." : "The connection to the server is lost: \(reason)"
      )
    }

    /// The error of a connection on which the server has not even confirmed a cancellation.
    static let isSilent = PostgreSQLError(
      state: "08006",
      message: """
        The statement was not done by its deadline, and the server did not end it when it was asked to; the \
        connection is closed.
        """,
      isTimeout: true
    )

    /// The error of a statement whose deadline had passed before it was sent.
    static let isLate = PostgreSQLError(
      state: "57014",
      message: "The deadline of the statement had passed before it was sent.",
      isTimeout: true
    )

    /// The error of a statement of work that was cancelled before it was sent.
    static let isCancelledBefore = PostgreSQLError(
      state: "57014",
      message: "The work was cancelled before the statement was sent."
    )

    /// The error of a transaction that was committed, but may be lost if another server takes over.
    static let unreplicated = PostgreSQLError(
      state: "01000",
      message: """
        The transaction is committed, but its wait for a standby server was cancelled. The changes are lost if another server \
        takes over before it has received them.
        """,
      isUnreplicated: true
    )

    /// The error of a connection that was closed.
    static let isClosed = PostgreSQLError(
      state: "08003",
      message: "The connection to the server is closed, or was lost before."
    )

    /// The lines of a message of libpq as one sentence; empty for an empty message.
    static func sentence(_ message: String) -> String {
      let lines = message.split(whereSeparator: \.isNewline).map { $0.drop { $0.isWhitespace } }
      let text = lines.joined(separator: "; ")
      return text.last.map { ".?!".contains($0) } ?? true ? text : text + "."
    }
  }

  extension PostgreSQLResult {
    /// The fields of an error by their codes in the protocol:
    /// <https://www.postgresql.org/docs/current/protocol-error-fields.html>.
    private enum Field: Character {
      case severity = "V"
      case state = "C"
      case message = "M"
      case detail = "D"
      case hint = "H"
      case position = "P"
      case schema = "s"
      case table = "t"
      case column = "c"
      case constraint = "n"
      case function = "R"
    }

    /// The error that has ended the connection; `nil` for other results.
    func connectionError(isConnected: Bool) -> PostgreSQLError? {
      guard PQresultStatus(raw) == PGRES_FATAL_ERROR else { return nil }
      let isFatal = ["FATAL", "PANIC"].contains(field(.severity))
      return isFatal || !isConnected ? .lost(field(.message) ?? libraryMessage) : nil
    }

    /// The error that this result is.
    ///
    /// - Parameter isExpired: true when the statement was cancelled because its deadline had passed.
    func error(isExpired: Bool) -> PostgreSQLError {
      let state = field(.state) ?? "XX000"
      let isTimeout = isExpired && state == "57014"
      return PostgreSQLError(
        state: state,
        message: isTimeout
          ? "The statement was not done by its deadline, and was cancelled."
          : Self.withoutValues(field(.message) ?? libraryMessage, state: state),
        detail: field(.detail),
        hint: field(.hint),
        schema: field(.schema),
        table: field(.table),
        column: field(.column),
        constraint: field(.constraint),
        position: field(.position).flatMap { Int($0) },
        isTimeout: isTimeout,
        isPreparedStatementStale: isStale(state),
        isOfRowSecurity: state == "42501" && field(.function) == "check_enable_rls"
      )
    }

    /// The message is in the server's language, but the name of the reporting function is not translated.
    private func isStale(_ state: String) -> Bool {
      state == "26000" || (state == "0A000" && field(.function) == "RevalidateCachedQuery")
    }

    /// The message of an error that libpq itself raises, which has no fields.
    private var libraryMessage: String {
      PostgreSQLError.sentence(PQresultErrorMessage(raw).map { String(cString: $0) } ?? "")
    }

    private func field(_ field: Field) -> String? {
      guard let code = field.rawValue.asciiValue else { return nil }
      return PQresultErrorField(raw, Int32(code)).map { String(cString: $0) }
    }

    /// The errors of class 22 are about values, and quote them.
    private static func withoutValues(_ message: String, state: String) -> String {
      guard state.hasPrefix("22"), let first = message.firstIndex(of: "\""),
        let last = message.lastIndex(of: "\""), first < last
      else { return message }
      return message[...first] + "…" + message[last...]
    }
  }
#endif
