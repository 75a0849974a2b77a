import Foundation

/// The contents of a store in a SQL database, read through one connection in one snapshot.
package struct SQLStoreContents<Connection: SQLQueryConnection>: StoreContents {
  /// The largest number of rows of a piece.
  private let longestPiece: Int64 = 1000
  /// The number of bytes after which a piece is full.
  private let largestPiece = 8 << 20

  let reader: SQLReader
  let connection: Connection
  package let metadata: StoreMetadata
  /// The column of the last key in the table that the schema names by `entityTable`.
  let lastKeyColumn: String
  /// Returns the last key of a piece, for a database that returns all rows of a query at once; `nil`
  /// for a database that returns them one by one.
  let end: ((_ table: SQLTable, _ key: Int64) throws -> Int64?)?
  /// The history to be read; `nil` where there is none.
  let history: (any SQLHistoryContents)?

  package init(
    reader: SQLReader,
    connection: Connection,
    metadata: StoreMetadata,
    lastKeyColumn: String,
    end: ((_ table: SQLTable, _ key: Int64) throws -> Int64?)?,
    history: (any SQLHistoryContents)?
  ) {
    self.reader = reader
    self.connection = connection
    self.metadata = metadata
    self.lastKeyColumn = lastKeyColumn
    self.end = end
    self.history = history
  }

  private var schema: SQLSchema { reader.schema }
  private var dialect: any SQLDialect { reader.dialect }

  /// Says that a piece is large enough.
  private struct PieceIsFull: Error {}

  package func lastKey(root: Int32) throws -> Int64 {
    guard let entity = schema.entity(modelNumber: root) else { return 0 }
    var last: Int64 = 0
    let names = schema.names
    let statement = SQLStatement(
      sql: "SELECT \(name(lastKeyColumn)) FROM \(name(names.entityTable)) "
        + "WHERE \(name(names.entity)) = \(entity.number)"
    )
    try connection.forEachRow(of: statement, preparation: .once) { last = $0.number(0) }
    return last
  }

  package func rows(root: Int32, after key: Int64) throws -> [StreamedRow] {
    guard let entity = schema.entity(modelNumber: root) else { return [] }
    let plan = reader.plans.plan(entity, includesSubentities: true)
    if plan.shapes.isEmpty { return [] }
    let foreign = SQLForeignColumns(entity.table, in: schema).columns
    let first = Int32(plan.columns.count)
    var statement = SQLStatement(
      sql: """
        SELECT \((plan.columns + foreign).map(name).joined(separator: ", ")) FROM \(name(entity.table.name)) \
        WHERE \(name(entity.table.primaryKey)) > \(placeholder(1, value: key))
        """,
      bindings: [.integer(key)]
    )
    if let end {
      guard let last = try end(entity.table, key) else { return [] }
      statement.sql += " AND \(name(entity.table.primaryKey)) <= \(placeholder(2, value: last))"
      statement.bindings.append(.integer(last))
    }
    statement.sql += " ORDER BY \(name(entity.table.primaryKey)) LIMIT \(longestPiece)"
    var rows: [StreamedRow] = []
    var size = 0
    var decoder = SQLRowReader<Connection.Row>(reader, plan: plan)
    do {
      try connection.forEachRow(of: statement, preparation: .held) { source in
        let fetched = try decoder.read(source)
        // What cannot be read here would be lost there.
        if let failure = fetched.row?.failures.first { throw failure.failure.error }
        let places = foreign.indices.map { source.cell(first + Int32($0))?.exactInteger }
        rows.append(StreamedRow(row: fetched, foreign: places))
        size += fetched.row?.byteCount ?? 0
        if end == nil, size > largestPiece { throw PieceIsFull() }
      }
    } catch is PieceIsFull {}
    return rows
  }

  package func links(_ relationship: StreamedRelationship, after last: StreamedLink?) throws -> [StreamedLink] {
    guard let join = schema.join(relationship) else { return [] }
    let columns = join.streamedColumns
    let key = [join.source, join.target].map(name).joined(separator: ", ")
    var statement = SQLStatement(
      sql:
        "SELECT \(columns.map { $0.map(name) ?? "NULL" }.joined(separator: ", ")) FROM \(name(join.table.name))"
    )
    if let last {
      statement.sql +=
        " WHERE (\(key)) > (\(placeholder(1, value: last.source)), \(placeholder(2, value: last.target)))"
      statement.bindings = [.integer(last.source), .integer(last.target)]
    }
    statement.sql += " ORDER BY \(key) LIMIT \(10 * longestPiece)"
    var links: [StreamedLink] = []
    try connection.forEachRow(of: statement, preparation: .held) { row in
      links.append(
        StreamedLink(
          source: row.number(0),
          target: row.number(1),
          targetPlace: row.cell(2)?.exactInteger,
          sourcePlace: row.cell(3)?.exactInteger
        )
      )
    }
    return links
  }

  package func lastOfHistory() throws -> (transaction: Int64, change: Int64)? { try history?.last() }

  package func transactions(after number: Int64) throws -> [StreamedTransaction] {
    try history?.transactions(after: number, atMost: longestPiece) ?? []
  }

  package func changes(after number: Int64) throws -> [StreamedChange] {
    try history?.changes(after: number, atMost: longestPiece) ?? []
  }

  private func name(_ name: String) -> String { dialect.identifier(name) }

  private func placeholder(_ number: Int, value: Int64) -> String {
    dialect.placeholder(number, of: .integer(value), as: .integer)
  }
}

/// The history of a store in a SQL database, in pieces.
package protocol SQLHistoryContents {
  func last() throws -> (transaction: Int64, change: Int64)?
  func transactions(after number: Int64, atMost count: Int64) throws -> [StreamedTransaction]
  func changes(after number: Int64, atMost count: Int64) throws -> [StreamedChange]
}

extension Row {
  /// About the number of bytes that the values take which may be large.
  fileprivate var byteCount: Int {
    layout.slots.indices.reduce(0) { count, slot in
      guard hasValue(slot) else { return count }
      return switch value(slot) {
      case .text(let text): count + text.utf8.count
      case .data(let data): count + data.count
      // The size of an archive is not known here, so the estimate is that of a large object: a kilobyte.
      case .object: count + 1024
      default: count + 8
      }
    }
  }
}
