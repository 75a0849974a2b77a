#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// A transaction of the history whose changes are written, but which has no number yet.
  struct PostgreSQLHistoryEntry {
    /// The key by which its changes refer to it.
    let key: String
    let changeCount: Int64
    let origin: ChangeOrigin
    private let date = Date()

    /// Gives transactions their numbers, one after the other: they become part of the history. The row of the
    /// clock is held until the transaction of the database ends.
    ///
    /// - Returns: the number of the last one.
    static func write(_ entries: [PostgreSQLHistoryEntry], table connection: PostgreSQLConnection) throws
      -> Int64?
    {
      var (keys, authors, names) = (
        PostgreSQLArray(type: "uuid"), PostgreSQLArray(type: "text"), PostgreSQLArray(type: "text")
      )
      var (firsts, times) = (PostgreSQLArray(type: "bigint"), PostgreSQLArray(type: "double precision"))
      var count: Int64 = 0
      func value(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
      for entry in entries {
        keys.append(.text(entry.key))
        firsts.append(.integer(count + 1))
        times.append(.real(entry.date.timeIntervalSinceReferenceDate))
        authors.append(value(entry.origin.author))
        names.append(value(entry.origin.contextName))
        count += entry.changeCount
      }
      let process = ProcessInfo.processInfo.processName
      let result = try connection.run(
        """
        WITH clock AS (UPDATE perennial_clock SET last_transaction = last_transaction + $1::bigint, \
        last_change = last_change + $2::bigint RETURNING last_transaction, last_change), \
        added AS (INSERT INTO perennial_transaction \
        (number, key, first_change, timestamp, author, context_name, bundle_id, process_id) \
        SELECT last_transaction - $1::bigint + r.place, r.key, last_change - $2::bigint + r.first, r.time, \
        r.author, r.name, $8::text, $9::text \
        FROM clock, unnest($3::uuid[], $4::bigint[], $5::double precision[], $6::text[], $7::text[]) \
        WITH ORDINALITY AS r(key, first, time, author, name, place)) \
        SELECT last_transaction FROM clock
        """,
        values: [
          .integer(Int64(entries.count)), .integer(count), keys.value, firsts.value, times.value,
          authors.value,
          names.value, .text(Bundle.main.bundleIdentifier ?? process), .text(process),
        ],
        isCached: true
      )
      return result.rowCount > 0 ? result.integer(0, column: 0) : nil
    }
  }

  /// The transactions of the history that one database transaction with many saves writes. They get their numbers
  /// together at its end, because other writers would wait for the clock from then on. If this thread waited for
  /// such a writer's row, both would wait forever.
  struct PostgreSQLUnnumberedHistory {
    private static let entriesAtATime = 1000
    private var entries: [PostgreSQLHistoryEntry] = []

    /// The number of the next transaction among them, starting at 1.
    var nextNumber: Int64 { Int64(entries.count) + 1 }

    mutating func append(_ entry: PostgreSQLHistoryEntry) { entries.append(entry) }

    /// - Returns: the number before that of the first one; `nil` if there are no transactions.
    func write(_ connection: PostgreSQLConnection) throws -> Int64? {
      var base: Int64?
      for first in stride(from: 0, to: entries.count, by: Self.entriesAtATime) {
        let part = Array(entries[first..<min(first + Self.entriesAtATime, entries.count)])
        let last = try PostgreSQLHistoryEntry.write(part, table: connection)
        base = base ?? last.map { $0 - Int64(part.count) }
      }
      return base
    }
  }
#endif
