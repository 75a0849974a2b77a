#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// A connection as a reader uses it.
  struct PostgreSQLQueryConnection: SQLQueryConnection {
    let connection: PostgreSQLConnection
    /// Checks, with each query outside a transaction, whether the store is still the one that was opened; `nil` in a
    /// transaction, which checks when it begins.
    var guardian: PostgreSQLSchemaGuard?

    func forEachRow(
      of statement: SQLStatement,
      preparation: SQLPreparation,
      _ body: (PostgreSQLResultRow) throws -> Void
    ) throws {
      if preparation == .inParts { return try forEachRowInParts(of: statement, body) }
      // The connection itself holds no more than a number of statements that is bounded.
      let result = try run(statement, isCached: preparation != .once)
      try PostgreSQLResultRow.forEach(of: result, body)
    }

    /// The identity query and the query are one transaction. The lock of the identity query prevents a replacement of
    /// the store until the query has its result.
    private func run(_ statement: SQLStatement, isCached: Bool) throws -> PostgreSQLResult {
      guard let guardian, connection.transaction == .none else {
        return try connection.run(statement, isCached: isCached)
      }
      let values = statement.bindings.map(PostgreSQLValue.init)
      let query = PostgreSQLStatement(sql: statement.sql, values: values, isCached: isCached)
      let answers = try connection.runAlone([guardian.identityQuestion, query])
      try guardian.checkIdentity(answers[0])
      return answers[1]
    }
  }

  /// The newest state of an open store.
  struct PostgreSQLNewestState: SQLReadSource {
    let connections: PostgreSQLConnections
    let guardian: PostgreSQLSchemaGuard

    func readOnce<Value>(_ body: (PostgreSQLQueryConnection) throws -> Value) throws -> Value {
      try connections.readOnce(checkedBy: guardian, body)
    }
  }

  // MARK: - In parts

  extension PostgreSQLQueryConnection {
    /// The number of rows that come at once.
    private static let rowsPerPart = 1_000

    /// By a cursor, between whose parts others may run.
    private func forEachRowInParts(of statement: SQLStatement, _ body: (PostgreSQLResultRow) throws -> Void) throws {
      try together {
        let cursor = connection.identifier("perennial \(UUID().uuidString)")
        try connection.run(
          SQLStatement(sql: "DECLARE \(cursor) NO SCROLL CURSOR FOR \(statement.sql)", bindings: statement.bindings),
          isCached: false
        )
        do {
          while true {
            let part = try connection.run("FETCH FORWARD \(Self.rowsPerPart) FROM \(cursor)")
            try PostgreSQLResultRow.forEach(of: part, body)
            if part.rowCount < Self.rowsPerPart { break }
          }
        } catch {
          // An enclosing transaction stays open.
          if connection.transaction == .open {
            _ = try? connection.evenWhereCancelled { try connection.run("CLOSE \(cursor)") }
          }
          throw error
        }
        try connection.run("CLOSE \(cursor)")
      }
    }

    /// Runs the body in a snapshot transaction, unless there is one already.
    func together<Value>(_ body: () throws -> Value) throws -> Value {
      guard connection.transaction == .none else { return try body() }
      do {
        try connection.beginReading(checkedBy: guardian)
        let value = try body()
        try connection.run("COMMIT")
        return value
      } catch {
        if connection.isUsable, connection.transaction != .none {
          let deadline = connection.deadline
          connection.deadline = nil
          _ = try? connection.evenWhereCancelled { try connection.run("ROLLBACK") }
          connection.deadline = deadline
        }
        throw error
      }
    }

    func cancellable<Value>(by observer: FetchObserver, _ body: () throws -> Value) throws -> Value {
      do {
        var end: @Sendable () -> Void = {}
        return try connection.cancellable({ end = $0 }) { try observer.cancelling(end, body) }
      } catch let error as PostgreSQLError where error.isCancelled && observer.isCancelled {
        throw FetchObserver.cancelled
      }
    }
  }

  extension PostgreSQLConnection {
    /// Begins a transaction that sees one state.
    ///
    /// - Parameter guardian: checks, in the same round trip, whether the store is still the one that was opened.
    func beginReading(checkedBy guardian: PostgreSQLSchemaGuard?) throws {
      let answers = try begin(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        statements: guardian.map { [$0.identityQuestion] } ?? []
      )
      if let guardian, let answer = answers.last { try guardian.checkIdentity(answer) }
    }

    /// Runs a statement that is given as a value.
    @discardableResult
    func run(_ statement: SQLStatement, isCached: Bool = true) throws -> PostgreSQLResult {
      try run(statement.sql, values: statement.bindings.map(PostgreSQLValue.init), isCached: isCached)
    }
  }

  extension PostgreSQLValue {
    init(_ value: SQLValue) {
      self =
        switch value {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .text(value)
        case .blob(let value): .bytes(value)
        }
    }
  }

  /// A row of a result. The result must live as long as the row is used.
  struct PostgreSQLResultRow: SQLResultRow {
    let row: PostgreSQLRow

    /// Reads all rows of a result, one after the other.
    static func forEach(of result: PostgreSQLResult, _ body: (Self) throws -> Void) rethrows {
      try withExtendedLifetime(result) {
        for row in 0..<result.rowCount { try body(Self(row: result.row(row))) }
      }
    }

    func number(_ column: Int32) -> Int64 { row.wholeNumber(column) ?? row.cell(column)?.integer ?? 0 }

    func real(_ column: Int32) -> Double { row.cell(column)?.real ?? 0 }

    func exactInteger(_ column: Int32) -> Int64? { row.wholeNumber(column) }

    func cell(_ column: Int32) -> PostgreSQLResultCell? { row.cell(column).map(PostgreSQLResultCell.init) }
  }

  /// A value of a result. The columns have the types that the store has given them, unless another program has altered
  /// them.
  struct PostgreSQLResultCell: SQLCell {
    let cell: PostgreSQLCell

    var typeName: String { "a value of the type \(cell.type) of PostgreSQL" }

    var exactInteger: Int64? {
      switch cell.type {
      case PostgreSQLType.int8, PostgreSQLType.int4, PostgreSQLType.int2: cell.integer
      default: nil
      }
    }

    var exactReal: Double? { cell.type == PostgreSQLType.float8 ? cell.real : nil }

    var exactText: String? { cell.type == PostgreSQLType.text ? cell.text : nil }

    func integer() throws -> Int64 {
      if let value = cell.integer ?? cell.decimal?.wholeNumber { return value }
      throw wanted("a whole number")
    }

    func real() throws -> Double {
      guard let real = cell.real else { throw wanted("a number") }
      return real
    }

    func text() throws -> String { cell.text }

    func bytes() throws -> UnsafeRawBufferPointer {
      guard cell.type == PostgreSQLType.bytea else { throw wanted("data") }
      return cell.bytes
    }

    func uuid() throws -> UUID {
      guard let uuid = cell.uuid else { throw wanted("a UUID") }
      return uuid
    }

    func decimal() throws -> Decimal {
      guard let decimal = cell.decimal else { throw wanted("a decimal number") }
      return decimal
    }

    func url() throws -> URL {
      guard let url = URL(string: cell.text) else { throw wanted("a URI") }
      return url
    }
  }
#endif
