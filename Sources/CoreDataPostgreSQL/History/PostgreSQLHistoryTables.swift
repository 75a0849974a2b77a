#if PostgreSQL
  import CoreData
  import Foundation

  /// The tables of a store's history.
  ///
  /// A change refers to its transaction by a UUID, which the transaction has from its beginning. The number that
  /// readers use comes from the clock, a row that a transaction locks last. Numbers therefore have no gaps and follow
  /// the order of the commits, so that a reader which asks for the transactions after a number does not miss one that
  /// commits late. A store without a history does not use the clock, because every writer would wait for it:
  /// `announcements` counts the announced changes after their commits.
  struct PostgreSQLHistoryTables: Sendable {
    /// The places of each entity's properties in the bits of changes, by the entity's number in the model.
    private let columns: [Int32: HistoryColumns]

    static let creationStatements = [
      """
      CREATE TABLE perennial_clock (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), \
      last_transaction bigint NOT NULL DEFAULT 0, last_change bigint NOT NULL DEFAULT 0, \
      announcements bigint NOT NULL DEFAULT 0)
      """,
      "INSERT INTO perennial_clock DEFAULT VALUES",
      """
      CREATE TABLE perennial_transaction (number bigint PRIMARY KEY, key uuid NOT NULL UNIQUE, \
      first_change bigint NOT NULL, timestamp double precision NOT NULL, author text COLLATE "C", \
      context_name text COLLATE "C", bundle_id text COLLATE "C", process_id text COLLATE "C")
      """,
      """
      CREATE TABLE perennial_change (key uuid NOT NULL, place bigint NOT NULL, type smallint NOT NULL, \
      z_ent bigint NOT NULL, z_pk bigint NOT NULL, columns bytea, tombstone text[], PRIMARY KEY (key, place))
      """,
      "CREATE INDEX perennial_transaction_timestamp ON perennial_transaction (timestamp)",
    ]

    init(_ schema: SQLSchema) {
      columns = Dictionary(
        schema.entities.map { ($0.layout.number, HistoryColumns($0)) },
        uniquingKeysWith: { first, _ in first }
      )
    }

    func columns(of entity: SQLEntity) -> HistoryColumns { columns[entity.layout.number] ?? HistoryColumns(entity) }

    /// The number of values that the entity with the most leaves when an object is deleted.
    var tombstoneCount: Int { columns.values.map { $0.preserved.count }.max() ?? 0 }
  }

  extension HistoryRange {
    /// The condition that transactions of the range fulfil.
    var postgreSQLCondition: SQLStatement {
      switch self {
      case .everything: SQLStatement(sql: "TRUE")
      case .nothing, .numbers([]): SQLStatement(sql: "FALSE")
      case .after(let number): SQLStatement(sql: "t.number > $1::bigint", bindings: [.integer(number)])
      case .before(let number): SQLStatement(sql: "t.number < $1::bigint", bindings: [.integer(number)])
      case .afterDate(let date):
        SQLStatement(sql: "t.timestamp > $1::double precision", bindings: [.real(date.timeIntervalSinceReferenceDate)])
      case .beforeDate(let date):
        SQLStatement(sql: "t.timestamp < $1::double precision", bindings: [.real(date.timeIntervalSinceReferenceDate)])
      case .numbers(let numbers):
        SQLStatement(
          sql: "t.number IN (\(numbers.indices.map { "$\($0 + 1)::bigint" }.joined(separator: ", ")))",
          bindings: numbers.map(SQLValue.integer)
        )
      }
    }
  }
#endif
