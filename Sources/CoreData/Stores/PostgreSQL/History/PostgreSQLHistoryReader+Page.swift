#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLHistoryReader: HistoryPageReader {
    /// The transactions of a selection, the newest first.
    ///
    /// - Parameters:
    ///   - entities: the numbers of the entities whose changes are wanted; `nil` for all.
    ///   - key: the key of the object whose changes are wanted; `nil` for all.
    func page(_ selection: HistorySelection, entities: [Int64]?, key: Int64?) throws -> HistoryPage {
      try page(selection, wanted: Changes(entities: entities, key: key))
    }

    /// The different authors of transactions, in order.
    func authors(limit: Int) throws -> [String] {
      let result = try connection.run(
        SQLStatement(
          sql: """
            SELECT DISTINCT author FROM perennial_transaction WHERE author IS NOT NULL ORDER BY 1 \
            LIMIT $1::bigint
            """,
          bindings: [.integer(Int64(limit))]
        )
      )
      return (0..<result.rowCount).compactMap { result.text($0, column: 0) }
    }

    /// A statement that is put together, whose placeholders are numbered.
    fileprivate struct Conditions {
      private(set) var parts: [String] = []
      private(set) var bindings: [SQLValue] = []

      mutating func place(_ value: SQLValue, as type: String) -> String {
        bindings.append(value)
        return "$\(bindings.count)::\(type)"
      }

      mutating func add(_ condition: String) { parts.append(condition) }

      var text: String { parts.isEmpty ? "TRUE" : parts.joined(separator: " AND ") }
    }

    /// The changes that are wanted.
    struct Changes {
      let entities: [Int64]?
      let key: Int64?

      var areAll: Bool { entities == nil }

      fileprivate func add(to conditions: inout Conditions) {
        guard let entities else { return }
        let places = entities.map { conditions.place(.integer($0), as: "bigint") }
        conditions.add("c.z_ent IN (\(places.joined(separator: ", ")))")
        if let key { conditions.add("c.z_pk = \(conditions.place(.integer(key), as: "bigint"))") }
      }
    }

    func numbers(_ selection: HistorySelection, wanted changes: Changes) throws -> [Int64] {
      var conditions = Conditions()
      if let before = selection.before {
        conditions.add("t.number < \(conditions.place(.integer(before), as: "bigint"))")
      }
      if let since = selection.since {
        let place = conditions.place(.real(since.timeIntervalSinceReferenceDate), as: "double precision")
        conditions.add("t.timestamp >= \(place)")
      }
      if let until = selection.until {
        let place = conditions.place(.real(until.timeIntervalSinceReferenceDate), as: "double precision")
        conditions.add("t.timestamp < \(place)")
      }
      if let author = selection.author {
        conditions.add("t.author = \(conditions.place(.text(author), as: "text"))")
      }
      var tables = "perennial_transaction t"
      if !changes.areAll {
        tables += " JOIN perennial_change c ON c.key = t.key"
        changes.add(to: &conditions)
      }
      let limit = conditions.place(.integer(Int64(selection.limit) + 1), as: "bigint")
      let result = try connection.run(
        SQLStatement(
          sql: """
            SELECT DISTINCT t.number FROM \(tables) WHERE \(conditions.text) ORDER BY t.number DESC LIMIT \(limit)
            """,
          bindings: conditions.bindings
        )
      )
      return (0..<result.rowCount).compactMap { result.integer($0, column: 0) }
    }

    func counts(_ numbers: [Int64], wanted changes: Changes) throws -> [Int64: HistoryPage.Counts] {
      var conditions = Conditions()
      let places = numbers.map { conditions.place(.integer($0), as: "bigint") }
      conditions.add("t.number IN (\(places.joined(separator: ", ")))")
      changes.add(to: &conditions)
      let result = try connection.run(
        SQLStatement(
          sql: """
            SELECT t.number, c.type::bigint, count(*) FROM perennial_transaction t \
            JOIN perennial_change c ON c.key = t.key WHERE \(conditions.text) GROUP BY t.number, c.type
            """,
          bindings: conditions.bindings
        )
      )
      var counts: [Int64: HistoryPage.Counts] = [:]
      for row in 0..<result.rowCount {
        guard let number = result.integer(row, column: 0), let type = result.integer(row, column: 1),
          let count = result.integer(row, column: 2)
        else { continue }
        counts[number, default: .init()].add(count, type: NSPersistentHistoryChangeType(rawValue: Int(type)))
      }
      return counts
    }

    func changes(
      of transaction: NSPersistentHistoryTransaction,
      _ changes: Changes,
      limit: Int
    ) throws -> [NSPersistentHistoryChange] {
      let number = transaction.transactionNumber
      var conditions = Conditions()
      conditions.add("t.number = \(conditions.place(.integer(number), as: "bigint"))")
      changes.add(to: &conditions)
      let limit = conditions.place(.integer(Int64(limit)), as: "bigint")
      let condition = SQLStatement(
        sql: "\(conditions.text) ORDER BY c.place LIMIT \(limit)",
        bindings: conditions.bindings
      )
      return try self.changes(condition, of: [number: transaction])[number] ?? []
    }
  }
#endif
