#if PostgreSQL
  import CPostgreSQL
  package import Foundation

  extension PostgreSQLConnection {
    /// The number of bytes that libpq takes at once.
    private static let mostCopied = 1 << 20

    /// Runs a `COPY … FROM STDIN`.
    ///
    /// - Parameters:
    ///   - sql: the statement, without bindings.
    ///   - next: gives the next data, in the format that the statement names, in parts of any size; `nil`
    ///     at the end. It must not use this connection. It is called until then also where the server has
    ///     refused a row meanwhile, since libpq looks for the server's answer at the end.
    /// - Returns: the number of rows.
    /// - Throws: the errors of `next`, or a ``PostgreSQLError``. No row is inserted then, and the
    ///   connection stays usable.
    package func copy(_ sql: String, _ next: () throws -> Data?) throws -> Int {
      try PostgreSQLArguments.check(PostgreSQLStatement(sql: sql))
      let start = ContinuousClock.now
      var changedCount: Int?
      defer {
        didRun?(PostgreSQLRun(sql: sql, changedCount: changedCount, duration: start.duration(to: .now)))
      }
      let copied: Int = try exchanging { exchange in
        try exchange.require(PQsendQuery(exchange.handle, sql))
        try exchange.flush()
        try Self.begin(&exchange)
        do {
          while let data = try exchange.isLate ? nil : next() {
            guard try Self.send(data, exchange: &exchange) else { break }
          }
        } catch let error where !exchange.isBroken {
          try Self.end(&exchange, reason: "the data could not be read to their end")
          _ = try exchange.outcome()
          throw error
        }
        try Self.end(&exchange, reason: exchange.isLate ? "the deadline has passed" : nil)
        return try Self.count(&exchange)
      }
      changedCount = copied
      return copied
    }

    /// Waits until the server is ready for the data.
    private static func begin(_ exchange: inout PostgreSQLExchange) throws {
      guard let result = try exchange.nextResult() else { throw exchange.lost() }
      if PQresultStatus(result.raw) == PGRES_COPY_IN { return }
      let status = PQresultStatus(result.raw)
      let isCopy = status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH
      let error =
        status == PGRES_FATAL_ERROR
        ? result.error(isExpired: exchange.isExpired)
        : PostgreSQLError(state: "0A000", message: "The statement is not a COPY … FROM STDIN.")
      if isCopy { throw exchange.broken(by: error) }
      _ = try exchange.outcome()
      throw error
    }

    /// - Returns: false when libpq accepts no more data, because the server has ended the COPY.
    private static func send(_ data: Data, exchange: inout PostgreSQLExchange) throws -> Bool {
      try data.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let part = UnsafeRawBufferPointer(rebasing: rest.prefix(mostCopied))
          let start = part.baseAddress?.assumingMemoryBound(to: CChar.self)
          switch PQputCopyData(exchange.handle, start, Int32(part.count)) {
          case 1:
            rest = rest.dropFirst(part.count)
            try exchange.flush(after: part.count)
          case 0: try exchange.flush()
          default: return false
          }
        }
        return true
      }
    }

    /// - Parameter reason: why the rows are not to be kept; `nil` when they are.
    private static func end(_ exchange: inout PostgreSQLExchange, reason: String?) throws {
      while PQputCopyEnd(exchange.handle, reason) == 0 { try exchange.flush() }
      try exchange.flush()
    }

    private static func count(_ exchange: inout PostgreSQLExchange) throws -> Int {
      do {
        return try exchange.lastResult().changedCount
      } catch let error as PostgreSQLError where error.isCancelled && exchange.isLate {
        throw PostgreSQLError(
          state: error.state,
          message: "The COPY was not done by its deadline, and was ended.",
          isTimeout: true
        )
      }
    }
  }
#endif
