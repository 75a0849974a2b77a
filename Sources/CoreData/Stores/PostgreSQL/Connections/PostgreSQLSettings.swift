#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  /// The settings with which connections read and write a store: once for each of them, or in each
  /// transaction where nothing outlives one.
  struct PostgreSQLSettings: Sendable {
    private let capabilities: PostgreSQLCapabilities
    private let schema: String
    /// The URL of the store, which has no password in it.
    private let place: String
    /// The time for which a statement waits for a lock, in milliseconds.
    private let lockTimeout: Int

    init(_ address: PostgreSQLAddress, _ capabilities: PostgreSQLCapabilities, timeout: TimeInterval) {
      self.capabilities = capabilities
      schema = address.schema
      place = address.description
      // Zero would be a time without an end.
      lockTimeout = max(1, Int(timeout * 1000))
    }

    /// Has the server notice within half a minute that a client is gone, and give back what that has locked:
    /// PostgreSQL's documentation of connection settings. Engines that lack one of them keep their own.
    private static let vanishing = """
      SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3; \
      SET client_connection_check_interval = 10000
      """

    /// Called with each new connection.
    func prepare(_ connection: PostgreSQLConnection) throws {
      PostgreSQLStatementLog.install(on: connection, of: place)
      connection.preparesStatements = capabilities[.preparedStatements]
      guard capabilities[.sessions] else {
        connection.enclosure = PostgreSQLEnclosure(
          before: beginning("BEGIN"),
          after: [PostgreSQLStatement("COMMIT")]
        )
        return
      }
      // Names of the store are found in its schema alone, whatever the role or the database says.
      try connection.run(
        "SELECT set_config('search_path', $1::text, false), set_config('lock_timeout', $2::text, false)",
        [.text(PostgreSQLConnection.identifier(schema)), .text("\(lockTimeout)")]
      )
      do {
        try connection.runScript(Self.vanishing)
      } catch let error as PostgreSQLError where !error.isConnectionLost {}
    }

    /// The statements that begin a transaction. None of them takes a snapshot.
    ///
    /// - Parameter sql: such as `BEGIN`.
    func beginning(_ sql: String) -> [PostgreSQLStatement] {
      let begin = PostgreSQLStatement(sql)
      if capabilities[.sessions] { return [begin] }
      return [
        begin,
        PostgreSQLStatement("SET LOCAL search_path TO \(PostgreSQLConnection.identifier(schema))"),
        PostgreSQLStatement("SET LOCAL lock_timeout TO \(lockTimeout)"),
      ]
    }
  }
#endif
