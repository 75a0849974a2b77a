#if PostgreSQL
  import CPostgreSQL
  import Foundation

  /// A connection to a server.
  ///
  /// One thread at a time uses it; only ``cancel()`` and ``wake()`` may be called from any thread
  /// meanwhile. A connection that is lost stays lost, and all that is asked of it throws.
  package final class PostgreSQLConnection: @unchecked Sendable {
    // One thread uses the state. The parts that other threads use have their own locks.

    /// The state of a connection's transaction.
    package enum Transaction: Sendable {
      /// There is no transaction.
      case none
      /// A statement is at work.
      case active
      /// A transaction is open.
      case open
      /// A transaction is open, and the server accepts only its end.
      case failed
      /// The connection is lost.
      case unknown
    }

    /// The time by which the next statements must be done; `nil` for no limit.
    ///
    /// One that is not done by then is cancelled at the server, and throws an error whose ``PostgreSQLError/isTimeout``
    /// is true. One that the server has done meanwhile nevertheless does not throw.
    package var deadline: ContinuousClock.Instant?
    /// True when statements may be kept prepared. If a pooler assigns another session to the next transaction, that
    /// session may not know them.
    package var preparesStatements = true

    /// Called after each statement, on the thread that uses the connection; `nil` for no call. The closure must not
    /// use the connection.
    package var didRun: ((PostgreSQLRun) -> Void)?

    /// The statements that enclose each statement outside a transaction; `nil` for none.
    package var enclosure: PostgreSQLImplicitTransaction?
    /// The settings of each transaction that ``begin(_:)`` begins. They take no snapshot.
    package var settings: [PostgreSQLStatement] = []

    /// libpq's connection; `nil` when it is closed or lost.
    private(set) var handle: OpaquePointer?
    let canceller: PostgreSQLCanceller
    let notices = PostgreSQLNotices()
    let waker = PostgreSQLWaker()
    var prepared = PostgreSQLPreparedStatements()

    /// Connects to the server.
    ///
    /// The names of hosts are looked up by the system, which knows no deadline.
    ///
    /// - Parameters:
    ///   - applicationName: the name that the server shows for the connection, unless the address has one.
    ///   - deadline: the time by which the connection must be open.
    /// - Throws: a ``PostgreSQLError`` of the state `08001` when the server cannot be reached, refuses,
    ///   or does not answer in time.
    package init(
      _ address: PostgreSQLAddress,
      applicationName: String = "perennial",
      deadline: ContinuousClock.Instant? = nil
    ) throws {
      let opening = try PostgreSQLOpening(address, applicationName: applicationName, deadline: deadline)
      let handle = try opening.open()
      self.handle = handle
      canceller = PostgreSQLCanceller(handle)
      notices.receive(from: handle)
    }

    deinit { close() }

    /// The version of the server, such as 150004 for 15.4; 0 for a connection that is closed.
    package var serverVersion: Int { handle.map { Int(PQserverVersion($0)) } ?? 0 }

    /// The number of the server's process for this connection; 0 for one that is closed.
    package var processID: Int32 { handle.map { PQbackendPID($0) } ?? 0 }

    /// The encoding of the database, such as `UTF8`, which the server reports with the connection; `nil` if it does
    /// not.
    package var serverEncoding: String? {
      handle.flatMap { PQparameterStatus($0, "server_encoding") }.map { String(cString: $0) }
    }

    /// True as long as the connection is not known to be lost.
    package var isUsable: Bool { handle.map { PQstatus($0) == CONNECTION_OK } ?? false }

    /// The state of the transaction, as the server has last reported it.
    package var transaction: Transaction {
      switch handle.map({ PQtransactionStatus($0) }) {
      case PQTRANS_IDLE: .none
      case PQTRANS_ACTIVE: .active
      case PQTRANS_INTRANS: .open
      case PQTRANS_INERROR: .failed
      default: .unknown
      }
    }

    /// Cancels the statement that is at work, which then ends with an error of the state `57014`, if
    /// it is not done meanwhile. Without one nothing happens, and a later one is never cancelled.
    ///
    /// It may be called from any thread, and returns when the server has the request.
    package func cancel() { canceller.cancel() }

    /// Does work that can be cancelled: the statement that is at work, and those that would follow, end with an
    /// error of the state `57014`.
    ///
    /// - Parameter register: receives a closure that cancels the work. Any thread may call the closure, more than
    ///   once. After the work it has no effect.
    package func cancellable<Value>(
      _ register: (_ cancel: @escaping @Sendable () -> Void) -> Void,
      _ work: () throws -> Value
    ) rethrows -> Value {
      let number = canceller.beginWork()
      defer { canceller.endWork(number) }
      register { [canceller] in canceller.cancel(work: number) }
      return try work()
    }

    /// Runs work that must be done even when the call is cancelled, such as ending its transaction.
    package func evenWhereCancelled<Value>(_ work: () throws -> Value) rethrows -> Value {
      try canceller.exempting(work)
    }

    /// Closes the connection. The server ends an open transaction without its changes.
    package func close() {
      if let handle { PQfinish(handle) }
      handle = nil
    }

    /// A name as an identifier in a statement, in quotes.
    package static func identifier(_ name: String) -> String {
      "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\""
    }

    /// A name as an identifier in a statement, in quotes.
    package func identifier(_ name: String) -> String { Self.identifier(name) }

    /// Finds out whether the server has closed the idle connection. If the server has not sent anything, there is no
    /// round trip.
    ///
    /// - Parameter asks: true when the server is to answer in any case.
    func check(asks: Bool) -> Bool {
      guard isUsable, let handle else { return false }
      let events = PostgreSQLSocket.wait([(PQsocket(handle), .reading)], until: .now)
      if events.isEmpty, !asks { return true }
      return (try? run("SELECT 1")) != nil && isUsable
    }
  }
#endif
