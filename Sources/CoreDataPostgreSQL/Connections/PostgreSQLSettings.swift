#if PostgreSQL
  import CoreData
  import Foundation
  import Logging
  import PostgreSQLDriver
  import Synchronization

  /// The settings with which connections read and write a store.
  ///
  /// Each transaction makes its settings itself, in the round trip in which it begins, because a connection pooler
  /// gives the transactions of one connection to different server processes, whose settings may come from other
  /// programs: <https://www.pgbouncer.org/features.html>. For the same reason a statement outside a transaction
  /// qualifies its tables with their schema.
  final class PostgreSQLSettings: Sendable {
    private let noticed: Mutex<PostgreSQLCapabilities>
    private let address: PostgreSQLAddress
    /// The statements that make the settings of a transaction. None of them takes a snapshot.
    private let statements: [PostgreSQLStatement]
    /// The time for which a statement waits for a lock, in milliseconds.
    private let lockTimeout: Int

    init(address: PostgreSQLAddress, capabilities: PostgreSQLCapabilities, timeout: TimeInterval) {
      noticed = Mutex(capabilities)
      self.address = address
      // Zero would be a time without an end.
      let lockTimeout = max(1, Int(timeout * 1000))
      self.lockTimeout = lockTimeout
      statements = [
        PostgreSQLStatement(sql: "SET LOCAL search_path TO \(PostgreSQLConnection.identifier(address.schema))"),
        PostgreSQLStatement(sql: "SET LOCAL lock_timeout TO \(lockTimeout)"),
      ]
    }

    /// The capabilities of the server that the store uses. If a pooler was detected, there are no sessions.
    var capabilities: PostgreSQLCapabilities { noticed.withLock { $0 } }

    /// The server notices within half a minute that a client is gone, and releases its locks:
    /// <https://www.postgresql.org/docs/current/runtime-config-connection.html>. Engines that lack one of these
    /// settings keep their own.
    ///
    /// Each is a message of its own, because the statements of one are a transaction: servers before version 14 lack
    /// the last setting.
    static let vanishing = [
      "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3",
      "SET client_connection_check_interval = 10000",
    ]

    /// Called with each new connection.
    ///
    /// - Throws: an error of the server, or an error for a database with another encoding than UTF-8.
    func prepare(_ connection: PostgreSQLConnection) throws {
      try requireUnicode(connection)
      PostgreSQLStatementLog.install(on: connection, of: address.description)
      connection.settings = statements
      let hasOwnSession = try capabilities[.sessions] && keepsSession(connection)
      connection.preparesStatements = hasOwnSession && capabilities[.preparedStatements]
      guard hasOwnSession else {
        connection.enclosure = PostgreSQLImplicitTransaction(
          before: [PostgreSQLStatement(sql: "BEGIN")] + statements,
          after: [PostgreSQLStatement(sql: "COMMIT")]
        )
        return
      }
      try Self.make(Self.vanishing, connection: connection)
    }

    /// Makes settings, but for those that the server lacks.
    static func make(_ scripts: [String], connection: PostgreSQLConnection) throws {
      for script in scripts {
        do {
          try connection.runScript(script)
        } catch let error as PostgreSQLError where !error.isConnectionLost {}
      }
    }

    /// Makes the settings of a session that belongs to the connection. The session of a pooler is unchanged, because
    /// other programs get it next.
    ///
    /// - Returns: false if the server's process is not the one that the connection was made to, because a pooler is
    ///   between the two. From then on the store works without sessions.
    private func keepsSession(_ connection: PostgreSQLConnection) throws -> Bool {
      let answer = try connection.run(
        """
        SELECT pg_backend_pid() = $1::integer, \
        CASE WHEN pg_backend_pid() = $1::integer THEN set_config('search_path', $2::text, false) END, \
        CASE WHEN pg_backend_pid() = $1::integer THEN set_config('lock_timeout', $3::text, false) END
        """,
        values: [
          .integer(Int64(connection.processID)), .text(PostgreSQLConnection.identifier(address.schema)),
          .text("\(lockTimeout)"),
        ]
      )
      if answer.integer(0, column: 0) == 1 { return true }
      noticed.withLock { $0.turnOff(.sessions) }
      if Self.told.withLock({ $0.insert(address.description).inserted }) {
        // A new logger each time, so that a program that has set up its logging gets its own.
        Logger(label: "CoreData").warning(
          """
          \(address.description): there is a connection pooler before the server, and the store is used as by the URL's \
          parameter without=sessions; add it to the URL
          """
        )
      }
      return false
    }

    /// The URLs whose pooler was logged. Each is logged once.
    private static let told = Mutex<Set<String>>([])

    private func requireUnicode(_ connection: PostgreSQLConnection) throws {
      guard let encoding = connection.serverEncoding, encoding != "UTF8" else { return }
      throw StoreFailure.error(
        NSPersistentStoreOpenError,
        message: """
          \(address.description): the database has the encoding \(encoding), which lacks characters of texts; use one that \
          was made by CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.
          """
      )
    }
  }

  extension PostgreSQLConnection {
    /// Makes a row-level security policy that would hide rows an error until the transaction ends, as `pg_dump` does:
    /// <https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-ROW-SECURITY>.
    ///
    /// Called by code that needs all rows, not only the visible ones.
    func requireAllRows() throws { try run("SET LOCAL row_security TO off") }
  }
#endif
