#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLHistoryReader {
    func authorQuery(limit: Int) -> SQLStatement {
      SQLStatement(
        sql: """
          SELECT DISTINCT author FROM perennial_transaction WHERE author IS NOT NULL ORDER BY 1 \
          LIMIT $1::bigint
          """,
        bindings: [.integer(Int64(limit))]
      )
    }

    static func wanted(_ entities: [Int64]?, key: Int64?) -> Changes { Changes(entities: entities, key: key) }

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

    func numberQuery(_ selection: HistorySelection, wanted changes: Changes) -> SQLStatement {
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
      if let author = selection.author { conditions.add("t.author = \(conditions.place(.text(author), as: "text"))") }
      var tables = "perennial_transaction t"
      if !changes.areAll {
        tables += " JOIN perennial_change c ON c.key = t.key"
        changes.add(to: &conditions)
      }
      let limit = conditions.place(.integer(Int64(selection.limit) + 1), as: "bigint")
      return SQLStatement(
        sql: """
          SELECT DISTINCT t.number FROM \(tables) WHERE \(conditions.text) ORDER BY t.number DESC LIMIT \(limit)
          """,
        bindings: conditions.bindings
      )
    }

    func countQuery(_ numbers: [Int64], wanted changes: Changes) -> SQLStatement {
      var conditions = Conditions()
      let places = numbers.map { conditions.place(.integer($0), as: "bigint") }
      conditions.add("t.number IN (\(places.joined(separator: ", ")))")
      changes.add(to: &conditions)
      return SQLStatement(
        sql: """
          SELECT t.number, c.type::bigint, count(*) FROM perennial_transaction t \
          JOIN perennial_change c ON c.key = t.key WHERE \(conditions.text) GROUP BY t.number, c.type
          """,
        bindings: conditions.bindings
      )
    }

    func changeCondition(_ number: Int64, wanted changes: Changes, limit: Int) -> SQLStatement {
      var conditions = Conditions()
      conditions.add("t.number = \(conditions.place(.integer(number), as: "bigint"))")
      changes.add(to: &conditions)
      let limit = conditions.place(.integer(Int64(limit)), as: "bigint")
      return SQLStatement(sql: "\(conditions.text) ORDER BY c.place LIMIT \(limit)", bindings: conditions.bindings)
    }
  }
#endif
