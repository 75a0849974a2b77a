#if PostgreSQL
  import Foundation
  import Synchronization
  import Testing

  @testable import PostgreSQLDriver

  /// The server that the tests use.
  enum TestServer {
    /// The URL of the server itself, not of a pooler in front of it.
    static let url =
      ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL_DIRECT"]
      ?? ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL"]
    static let reason: Comment = "PERENNIAL_POSTGRESQL has no URL of a server; see Scripts/postgresql"
    static var isThere: Bool { url != nil }

    /// True when a session that sets `synchronous_commit` waits for a standby, which is not there.
    static let waitsForStandby: Bool = {
      let query = "SELECT current_setting('synchronous_standby_names') = 'nobody'"
      return (try? connect().run(query).integer(0, column: 0)) == 1
    }()

    static func address() throws -> PostgreSQLAddress {
      let url = try #require(url)
      return try PostgreSQLAddress(url)
    }

    /// The server's address as `127.0.0.1:5432`, for lists of hosts.
    static func place() throws -> (host: String, port: Int) {
      let url = try #require(url)
      let components = try #require(URLComponents(string: url))
      return (try #require(components.host), try #require(components.port))
    }

    /// Opens a connection. A test that hangs has failed.
    static func connect(_ address: PostgreSQLAddress? = nil) throws -> PostgreSQLConnection {
      let connection = try PostgreSQLConnection(address ?? Self.address(), deadline: soon)
      connection.deadline = soon
      return connection
    }

    /// The time limit for everything that a test waits for.
    static var soon: ContinuousClock.Instant { .now + .seconds(3600) }

    /// Waits until a condition is true, and lets other threads run meanwhile.
    static func wait(until isTrue: () throws -> Bool) throws {
      let limit = soon
      while try !isTrue() {
        try #require(ContinuousClock.now < limit, "it has not happened")
        sched_yield()
      }
    }

    /// Waits until another connection executes a statement that sleeps, or waits for another event.
    static func wait(untilAsleep processID: Int32, in event: String = "PgSleep") throws {
      let observer = try connect()
      try wait {
        let query = "SELECT wait_event = $2 FROM pg_stat_activity WHERE pid = $1"
        return try observer.run(query, values: [.integer(Int64(processID)), .text(event)]).integer(0, column: 0) == 1
      }
    }

    /// Terminates the server process of a connection, and waits until it has ended.
    static func terminate(_ connection: PostgreSQLConnection) throws {
      let query = "SELECT pg_terminate_backend($1, 60000)"
      #expect(
        try connect().run(query, values: [.integer(Int64(connection.processID))]).integer(0, column: 0) == 1
      )
    }
  }

  /// Work on a thread of its own.
  final class Job<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Value) {
      Thread.detachNewThread {
        let value = Result { try body() }
        self.result.withLock { $0 = value }
        self.semaphore.signal()
      }
    }

    /// Waits for the end of the work.
    func value() throws -> Value {
      semaphore.wait()
      semaphore.signal()
      return try #require(result.withLock { $0 }).get()
    }
  }

  /// The driver's error that a closure throws.
  func failure<Value>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ work: () throws -> Value
  ) throws -> PostgreSQLError {
    let error = #expect(throws: PostgreSQLError.self, sourceLocation: sourceLocation) { _ = try work() }
    return try #require(error, sourceLocation: sourceLocation)
  }
#endif
