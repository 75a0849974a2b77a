#if PostgreSQL
  import CPostgreSQL
  import Foundation

  /// The messages of one statement or one batch: it sends them and reads the answers, until a deadline.
  ///
  /// It also reads while it sends, because a server that cannot send its answers stops reading: see
  /// <https://www.postgresql.org/docs/current/libpq-async.html> and
  /// <https://www.postgresql.org/docs/current/libpq-pipeline-mode.html>.
  struct PostgreSQLExchange {
    /// The time that the server has to end a statement that is cancelled.
    private static let grace = Duration.seconds(5)
    /// The time after which the cancel request is repeated, because the server ignores a request that
    /// arrives before the statement.
    private static let repetition = Duration.milliseconds(250)
    /// The number of bytes that are not sent one by one.
    private static let mostUnsent = 1 << 16

    let handle: OpaquePointer
    let canceller: PostgreSQLCanceller
    let deadline: ContinuousClock.Instant?
    /// True when the connection is unusable.
    private(set) var isBroken = false
    /// The time by which a cancelled statement must have ended; `nil` before the deadline.
    private var end: ContinuousClock.Instant?
    private var nextRequest = ContinuousClock.now
    private var unsentCount = 0

    init(handle: OpaquePointer, canceller: PostgreSQLCanceller, deadline: ContinuousClock.Instant?) {
      self.handle = handle
      self.canceller = canceller
      self.deadline = deadline
    }

    /// True when the deadline has passed during the exchange.
    var isExpired: Bool { end != nil }

    /// True when the deadline has passed.
    var isLate: Bool { deadline.map { $0 <= .now } ?? false }

    /// Checks that libpq has accepted data to be sent.
    mutating func require(_ result: Int32) throws {
      if result != 1 { throw lost() }
    }

    /// Sends what is buffered.
    mutating func flush() throws {
      unsentCount = 0
      while true {
        switch PQflush(handle) {
        case 0: return
        case 1:
          let ready = try wait([.reading, .writing])
          if ready.contains(.reading), PQconsumeInput(handle) == 0 { return try requireAnswer() }
        default: return try requireAnswer()
        }
      }
    }

    /// Sends what is buffered when it is much.
    ///
    /// - Parameter count: the number of bytes that were added to it.
    mutating func flush(after count: Int) throws {
      unsentCount += count
      if unsentCount > Self.mostUnsent { try flush() }
    }

    /// The next result; `nil` at the end of a statement's results.
    ///
    /// - Throws: an error when the connection is lost, or the server ends it.
    mutating func nextResult() throws -> PostgreSQLResult? {
      while PQisBusy(handle) != 0 {
        let isUnsent = PQflush(handle) == 1
        let ready = try wait(isUnsent ? [.reading, .writing] : .reading)
        if ready.contains(.reading), PQconsumeInput(handle) == 0, PQisBusy(handle) != 0 { throw lost() }
      }
      guard let raw = PQgetResult(handle) else {
        if PQstatus(handle) != CONNECTION_OK { throw lost() }
        return nil
      }
      let result = PostgreSQLResult(raw)
      if let error = result.connectionError(isConnected: PQstatus(handle) == CONNECTION_OK) {
        isBroken = true
        throw error
      }
      return result
    }

    /// The last result of a statement, when all are read.
    ///
    /// - Throws: the first error of the results.
    mutating func lastResult() throws -> PostgreSQLResult {
      let (last, failure) = try outcome()
      if let failure { throw failure }
      guard let last else { throw lost() }
      return last
    }

    /// Reads all results of a statement.
    ///
    /// - Returns: the last result and the first error; neither for a statement of a batch that did not
    ///   run because of an earlier error.
    mutating func outcome() throws -> (last: PostgreSQLResult?, failure: PostgreSQLError?) {
      var (last, failure): (PostgreSQLResult?, PostgreSQLError?)
      while let result = try nextResult() {
        switch PQresultStatus(result.raw) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: last = result
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: throw broken(by: Self.isCopy)
        case PGRES_PIPELINE_ABORTED: continue
        default: failure = failure ?? result.error(isExpired: isExpired)
        }
      }
      return (last, failure)
    }

    /// The error of a connection that is lost.
    mutating func lost() -> PostgreSQLError {
      let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
      return broken(by: .lost(message))
    }

    /// Returns the error after which the connection is unusable.
    mutating func broken(by error: PostgreSQLError) -> PostgreSQLError {
      isBroken = true
      return error
    }

    /// Called when sending fails, because the server may have sent the reason.
    private mutating func requireAnswer() throws {
      while PQconsumeInput(handle) != 0 {
        if PQisBusy(handle) == 0 { return }
        _ = try wait(.reading)
      }
      if PQisBusy(handle) != 0 { throw lost() }
    }

    /// Waits for the socket. From the deadline on it asks the server to cancel the statement, again and
    /// again until it has ended.
    private mutating func wait(_ events: PostgreSQLSocket.Events) throws -> PostgreSQLSocket.Events {
      while true {
        let socket = PQsocket(handle)
        if socket < 0 { throw lost() }
        let limit = end.map { min($0, nextRequest) } ?? deadline
        if let ready = PostgreSQLSocket.wait(socket, events: events, until: limit) { return ready }
        let now = ContinuousClock.now
        if let end, end <= now { throw broken(by: .isSilent) }
        if end == nil { end = now + Self.grace }
        nextRequest = now + Self.repetition
        canceller.cancelInBackground()
      }
    }

    private static let isCopy = PostgreSQLError(
      state: "0A000",
      message: "A COPY was run as a statement, and the connection is closed for it.",
      hint: "Run it alone, as a COPY."
    )
  }
#endif
