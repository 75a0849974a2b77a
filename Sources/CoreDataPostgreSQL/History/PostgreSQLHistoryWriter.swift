#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Writes one transaction of a store's history, in the transaction of the database that makes the changes.
  ///
  /// A transaction without changes writes nothing.
  final class PostgreSQLHistoryWriter {
    private let tables: PostgreSQLHistoryTables
    private let connection: PostgreSQLConnection
    private let origin: ChangeOrigin
    private let dialect = PostgreSQLDialect()
    private let key = UUID().uuidString.lowercased()
    private var changeCount: Int64 = 0
    /// The number of the transaction, once it is finished; in a transaction of many saves, its place among them.
    private(set) var number: Int64?
    /// The history entry of the finished transaction.
    private(set) var entry: PostgreSQLHistoryEntry?

    init(tables: PostgreSQLHistoryTables, connection: PostgreSQLConnection, origin: ChangeOrigin) {
      self.tables = tables
      self.connection = connection
      self.origin = origin
    }

    // MARK: - Changes

    func insertions(of keys: [Int64], entity: SQLEntity) throws {
      try write(.insert, keys: keys, entity: entity, columns: nil)
    }

    /// The bits of changed properties.
    func columns(_ entity: SQLEntity, slots: [Int], toMany: [Int] = []) -> Data {
      tables.columns(of: entity).bits(slots: slots, toMany: toMany)
    }

    /// - Parameter columns: the bits of the changed properties of each object.
    func updates(of keys: [Int64], entity: SQLEntity, columns: [Data]) throws {
      try write(.update, keys: keys, entity: entity, columns: columns)
    }

    private func write(
      _ type: NSPersistentHistoryChangeType,
      keys: [Int64],
      entity: SQLEntity,
      columns: [Data]?
    ) throws {
      if keys.isEmpty { return }
      var bits = PostgreSQLArray(type: "bytea")
      for index in keys.indices { bits.append(columns.map { .blob($0[index]) } ?? .null) }
      try connection.run(
        """
        INSERT INTO perennial_change (key, place, type, z_ent, z_pk, columns) \
        SELECT $1::uuid, $2::bigint + r.place, $3::smallint, $4::bigint, r.k, r.columns \
        FROM unnest($5::bigint[], $6::bytea[]) WITH ORDINALITY AS r(k, columns, place)
        """,
        values: [
          .text(key), .integer(changeCount), .integer(Int64(type.rawValue)), .integer(entity.number),
          PostgreSQLArray(integers: keys).value, bits.value,
        ],
        isCached: true
      )
      changeCount += Int64(keys.count)
    }

    /// Called while the rows are still there: their history keeps some of their values.
    func deletions(of keys: [Int64], entity: SQLEntity) throws {
      if keys.isEmpty { return }
      let preserved = tables.columns(of: entity).preserved
      let values = preserved.map { "t.\(dialect.identifier($0.column))::text" }.joined(separator: ", ")
      let tombstone = preserved.isEmpty ? "NULL::text[]" : "ARRAY[\(values)]"
      let table = entity.table
      try connection.run(
        """
        INSERT INTO perennial_change (key, place, type, z_ent, z_pk, tombstone) \
        SELECT $1::uuid, $2::bigint + r.place, 2, $3::bigint, r.k, \(tombstone) \
        FROM unnest($4::bigint[]) WITH ORDINALITY AS r(k, place) \
        LEFT JOIN \(dialect.identifier(table.name)) t ON t.\(dialect.identifier(table.primaryKey)) = r.k
        """,
        values: [
          .text(key), .integer(changeCount), .integer(entity.number), PostgreSQLArray(integers: keys).value,
        ],
        isCached: true
      )
      changeCount += Int64(keys.count)
    }

    // MARK: - The transaction

    /// Called when all changes have been written, last of all: the row of the clock is held until the transaction ends.
    ///
    /// - Parameter unnumbered: the history of a transaction of many saves, which gets its numbers at the end.
    func finish(_ unnumbered: PostgreSQLUnnumberedHistory?) throws {
      guard changeCount > 0, number == nil else { return }
      let entry = PostgreSQLHistoryEntry(key: key, changeCount: changeCount, origin: origin)
      self.entry = entry
      number = try unnumbered?.nextNumber ?? PostgreSQLHistoryEntry.write([entry], table: connection)
    }
  }
#endif
