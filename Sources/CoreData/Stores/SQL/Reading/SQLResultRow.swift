import Foundation

/// A row that a query answers, read by the numbers of its columns, from 0 up. It is valid until the query moves on.
@usableFromInline
package protocol SQLResultRow {
  associatedtype Cell: SQLCell

  /// A whole number that the store itself writes: a key, a version, the number of an entity; 0 for null.
  func number(_ column: Int32) -> Int64

  /// A floating-point number that the store itself writes: a date; 0 for null.
  func real(_ column: Int32) -> Double

  /// The value of a column, if the database stores it as an integer; `nil` otherwise, and for null.
  func exactInteger(_ column: Int32) -> Int64?

  /// The value of a column; `nil` for null.
  func cell(_ column: Int32) -> Cell?

  /// Has a reader decode the row. The requirement lets the compiler specialize the reader where the type of the row is
  /// known, which for a store of another target is not where rows are asked for.
  func decode(by reader: inout SQLRowReader<Self>) throws -> FetchedRow
}

extension SQLResultRow {
  @inlinable
  package func decode(by reader: inout SQLRowReader<Self>) throws -> FetchedRow { try reader.decode(self) }

  package func exactInteger(_ column: Int32) -> Int64? { cell(column)?.exactInteger }
}

/// A value of a column, converted to the type that the model requires.
///
/// Other programs write into databases. A value is converted if that loses nothing, and is an error otherwise.
@usableFromInline
package protocol SQLCell {
  /// The value in words, for messages.
  var typeName: String { get }

  /// The value, if the database stores it as an integer.
  var exactInteger: Int64? { get }

  /// The value, if the database stores it as a number that can be read as floating point without a check.
  var exactReal: Double? { get }

  /// The value, if the database stores it as text.
  var exactText: String? { get }

  func integer() throws -> Int64
  func real() throws -> Double
  func text() throws -> String
  /// The bytes of data, valid as long as the row.
  func bytes() throws -> UnsafeRawBufferPointer
  func uuid() throws -> UUID
  func decimal() throws -> Decimal
  func url() throws -> URL
}

extension SQLCell {
  /// The error of a value that cannot be converted to the expected type.
  package func wanted(_ what: String) -> any Error { StoreFailure.corruptFile("\(what) is wanted.") }
}

/// A connection to a database, which runs the queries of a reader.
package protocol SQLQueryConnection {
  associatedtype Row: SQLResultRow

  /// Runs a query and calls back for each row.
  func forEachRow(of statement: SQLStatement, preparation: SQLPreparation, _ body: (Row) throws -> Void) throws

  /// The result of a query for the number of rows.
  func count(_ statement: SQLStatement) throws -> Int64

  /// Runs several queries that see the same state.
  func together<Value>(_ body: () throws -> Value) throws -> Value

  /// Runs queries, of which the one at work ends at once when an observer cancels its fetch.
  func cancellable<Value>(by observer: FetchObserver, _ body: () throws -> Value) throws -> Value
}

extension SQLQueryConnection {
  package func count(_ statement: SQLStatement) throws -> Int64 {
    var count: Int64 = 0
    try forEachRow(of: statement, preparation: .heldIfFew) { count = $0.number(0) }
    return count
  }

  package func together<Value>(_ body: () throws -> Value) throws -> Value { try body() }

  package func cancellable<Value>(by observer: FetchObserver, _ body: () throws -> Value) throws -> Value { try body() }
}

/// The way in which a connection prepares a statement.
package enum SQLPreparation {
  /// It is held prepared for the next time.
  case held
  /// It is held as long as a program does not make up ever new ones.
  case heldIfFew
  /// It runs once.
  case once
  /// The rows come in batches, so that they are not all in memory at once. Other statements can run meanwhile.
  case inParts
}

/// A place that queries are run at: the newest state of a store, an older one, or a transaction.
package protocol SQLReadSource<Connection> {
  associatedtype Connection: SQLQueryConnection

  /// Runs one query.
  func readOnce<Value>(_ body: (Connection) throws -> Value) throws -> Value
}

/// A leased connection as a source.
package struct SQLLeasedSource<Connection: SQLQueryConnection>: SQLReadSource {
  let connection: Connection

  package init(connection: Connection) { self.connection = connection }

  package func readOnce<Value>(_ body: (Connection) throws -> Value) throws -> Value { try body(connection) }
}
