#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Hands out the history of a store in PostgreSQL, a piece after the other, through one connection.
  final class PostgreSQLHistoryContents: SQLHistoryContents {
    private let engine: PostgreSQLStore.Engine
    private let connection: PostgreSQLConnection
    /// The last change that was returned, with the number of its transaction. The next piece begins after it.
    private var lastChange: (number: Int64, transaction: Int64)?

    init(engine: PostgreSQLStore.Engine, connection: PostgreSQLConnection) {
      self.engine = engine
      self.connection = connection
    }

    func last() throws -> (transaction: Int64, change: Int64)? {
      let row = try connection.run("SELECT last_transaction, last_change FROM perennial_clock")
      guard row.rowCount > 0, let transaction = row.integer(0, column: 0), transaction > 0 else { return nil }
      return (transaction, row.integer(0, column: 1) ?? 0)
    }

    func transactions(after number: Int64, atMost count: Int64) throws -> [StreamedTransaction] {
      let rows = try connection.run(
        """
        SELECT number, first_change, timestamp, author, context_name, bundle_id, process_id \
        FROM perennial_transaction WHERE number > $1::bigint ORDER BY number LIMIT $2::bigint
        """,
        values: [.integer(number), .integer(count)],
        isCached: true
      )
      return (0..<rows.rowCount).map { row in
        StreamedTransaction(
          number: rows.integer(row, column: 0) ?? 0,
          firstChange: rows.integer(row, column: 1) ?? 1,
          timestamp: rows.real(row, column: 2) ?? 0,
          author: rows.text(row, column: 3),
          contextName: rows.text(row, column: 4),
          bundleID: rows.text(row, column: 5),
          processID: rows.text(row, column: 6)
        )
      }
    }

    /// The cost of a piece depends on its size and not on the length of the history, because both sort orders are
    /// those of keys.
    func changes(after number: Int64, atMost count: Int64) throws -> [StreamedChange] {
      let first =
        try lastChange?.number == number ? lastChange?.transaction ?? 0 : transaction(ofChange: number)
      let tombstones = (0..<engine.history.tombstoneCount).map { ", c.tombstone[\($0 + 1)]" }.joined()
      let result = try connection.run(
        """
        SELECT t.first_change + c.place - 1 AS change, t.number, c.type, c.z_ent, c.z_pk, c.columns\(tombstones) \
        FROM perennial_transaction t JOIN perennial_change c \
        ON c.key = t.key AND c.place > $1::bigint - t.first_change + 1 \
        WHERE t.number >= $3::bigint ORDER BY t.number, c.place LIMIT $2::bigint
        """,
        values: [.integer(number), .integer(count), .integer(first)],
        isCached: true
      )
      var found: [StreamedChange] = []
      try PostgreSQLResultRow.forEach(of: result) { row in found.append(try change(row)) }
      if let change = found.last { lastChange = (change.number, change.transaction) }
      return found
    }

    /// The number of the transaction of a change, or of the last change before it; 0 if there is none.
    private func transaction(ofChange number: Int64) throws -> Int64 {
      let result = try connection.run(
        "SELECT COALESCE(max(number), 0) FROM perennial_transaction WHERE first_change <= $1::bigint",
        values: [.integer(number)]
      )
      return result.integer(0, column: 0) ?? 0
    }

    private func change(_ row: PostgreSQLResultRow) throws -> StreamedChange {
      guard let entity = engine.schema.entity(storeNumber: row.number(3)) else {
        return StreamedChange(ofUnknownEntity: row.number(0), transaction: row.number(1), key: row.number(4))
      }
      let columns = engine.history.columns(of: entity)
      let bits = try row.cell(5).map { Data(try $0.bytes()) }
      let isDeletion = row.number(2) == Int64(NSPersistentHistoryChangeType.delete.rawValue)
      return StreamedChange(
        number: row.number(0),
        transaction: row.number(1),
        type: row.number(2),
        entity: entity.layout.number,
        key: row.number(4),
        properties: bits.map { columns.properties($0, of: entity.layout) },
        tombstone: isDeletion ? try tombstone(row, columns: columns, entity: entity) : []
      )
    }

    private func tombstone(
      _ row: PostgreSQLResultRow,
      columns: HistoryColumns,
      entity: SQLEntity
    ) throws -> [StoredValue] {
      try columns.preserved.enumerated().map { index, value in
        guard let text = try row.cell(Int32(6 + index))?.text(),
          let attribute = HistoryTombstone.attribute(of: value, entity: entity)
        else { return .null }
        return try PostgreSQLTextValue.stored(text, of: attribute)
      }
    }
  }
#endif
