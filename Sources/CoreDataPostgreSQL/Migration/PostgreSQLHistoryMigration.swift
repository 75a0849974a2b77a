#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Lets the history of a store speak of the new model: it has changed properties as bits, and values of deleted
  /// objects by their places. Entities keep their numbers.
  struct PostgreSQLHistoryMigration {
    let map: SQLMigrationMap

    func run(_ connection: PostgreSQLConnection) throws {
      if try connection.run("SELECT 1 FROM perennial_change LIMIT 1").rowCount == 0 { return }
      let removed = map.removed.map { String($0.number) }
      if !removed.isEmpty {
        try connection.run("DELETE FROM perennial_change WHERE z_ent IN (\(removed.joined(separator: ", ")))")
      }
      for move in HistoryMove.all(map) {
        try moveBits(move, connection: connection)
        try moveTombstones(move, connection: connection)
      }
    }

    /// There are few different bit patterns, however many changes there are.
    private func moveBits(_ move: HistoryMove, connection: PostgreSQLConnection) throws {
      let found = try connection.run(
        "SELECT DISTINCT columns FROM perennial_change WHERE z_ent = $1::bigint AND columns IS NOT NULL",
        values: [.integer(move.entity.number)]
      )
      var former = PostgreSQLArray(type: "bytea")
      var current = PostgreSQLArray(type: "bytea")
      var isChanged = false
      for row in 0..<found.rowCount {
        guard let bits = found.data(row, column: 0) else { continue }
        let moved = move.bits(bits)
        if moved == bits { continue }
        isChanged = true
        former.append(.blob(bits))
        current.append(.blob(moved))
      }
      guard isChanged else { return }
      try connection.run(
        """
        UPDATE perennial_change AS c SET columns = m.current \
        FROM unnest($2::bytea[], $3::bytea[]) AS m(former, current) \
        WHERE c.z_ent = $1::bigint AND c.columns = m.former
        """,
        values: [.integer(move.entity.number), former.value, current.value]
      )
    }

    private func moveTombstones(_ move: HistoryMove, connection: PostgreSQLConnection) throws {
      if move.keepsTombstones(alike: PostgreSQLDialect().keepsAlike) { return }
      let values = move.tombstones.map { value in
        guard let former = value.former else { return "NULL" }
        let text = "tombstone[\(former + 1)]"
        guard let type = value.attribute?.attributeType, let before = value.formerAttribute?.attributeType,
          type != before, SQLStorage(type) == .integer
        else { return text }
        return "CASE WHEN \(text) ~ '^-?[0-9]{1,18}([.][0-9]*)?$' THEN split_part(\(text), '.', 1) END"
      }
      try connection.run(
        """
        UPDATE perennial_change SET tombstone = ARRAY[\(values.joined(separator: ", "))]::text[] \
        WHERE z_ent = $1::bigint AND tombstone IS NOT NULL
        """,
        values: [.integer(move.entity.number)]
      )
    }
  }
#endif
