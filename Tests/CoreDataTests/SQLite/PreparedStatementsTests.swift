import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Statements that a connection holds prepared for requests")
struct PreparedStatementsTests {
  private struct WeakStatement {
    weak var statement: Statement?
  }

  private func statement(_ number: Int) -> SQLStatement {
    SQLStatement(sql: "SELECT \(number)", bindings: [])
  }

  private func prepare(_ number: Int, in database: Database) throws -> WeakStatement {
    WeakStatement(statement: try database.prepared(statement(number), isCounted: true))
  }

  @Test("the number of prepared statements is limited, and later ones are still cached")
  func limit() throws {
    try SQLiteConnection().use { database in
      var all: [WeakStatement] = []
      for number in 0..<(StatementCache.limit * 5 / 2) { all.append(try prepare(number, in: database)) }
      #expect(all.count { $0.statement != nil } == StatementCache.limit / 2)
      #expect(all.last?.statement != nil)
      // A repeated statement does not count towards the limit again.
      for _ in 0..<StatementCache.limit {
        #expect(try prepare(StatementCache.limit * 5 / 2 - 1, in: database).statement === all.last?.statement)
      }
      #expect(all.count { $0.statement != nil } == StatementCache.limit / 2)
    }
  }

  @Test("prepared statements are counted for each connection")
  func connections() throws {
    let first = try SQLiteConnection()
    let second = try SQLiteConnection()
    let held = try first.use { database in
      for number in 1..<StatementCache.limit { _ = try prepare(number, in: database) }
      return try prepare(0, in: database)
    }
    try second.use { database in
      for number in 0...StatementCache.limit { _ = try prepare(-number, in: database) }
    }
    #expect(held.statement != nil)
    _ = try first.use { try prepare(StatementCache.limit, in: $0) }
    #expect(held.statement == nil)
  }

  @Test("repeated requests use prepared statements, except those with a long list of values")
  func lists() throws {
    try SQLiteConnection().use { database in
      let values = (0..<20).map { SQLValue.integer($0) }
      let few = try database.prepared(SQLStatement(sql: "SELECT 1", bindings: values), isCounted: true)
      let many = SQLStatement(sql: "SELECT 1", bindings: values + [.integer(20)])
      #expect(try database.prepared(many, isCounted: true) !== few)
      #expect(try database.cachedStatement(sql: "SELECT 1") === few)
    }
  }

  @Test("a statement that is being run goes on when its connection releases all")
  func running() throws {
    try SQLiteConnection().use { database in
      let text = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i FROM n"
      var count = 0
      try SQLiteQuery(SQLStatement(sql: text, bindings: []), in: database, isCached: true).forEachRow { _ in
        _ = try prepare(count, in: database)
        count += 1
      }
      #expect(count == 1000)
    }
  }

  @Test("prepared statements are found by the identity of their text while the connection holds them")
  func identity() throws {
    let text = SQLText("SELECT 7")
    let query = SQLStatement(text, bindings: [])
    let (first, second) = (try SQLiteConnection(), try SQLiteConnection())
    try first.use { database in
      let statement = try database.prepared(query, isCounted: true)
      #expect(try database.prepared(query, isCounted: true) === statement)
      #expect(try database.cachedStatement(sql: "SELECT 7") === statement)
      let another = try second.use { try $0.prepared(query, isCounted: true) }
      #expect(another !== statement)
    }
    try first.use { database in
      let former = WeakStatement(statement: try database.prepared(query, isCounted: true))
      database.releaseStatements()
      #expect(former.statement == nil)
      let statement = try database.prepared(query, isCounted: true)
      #expect(try database.cachedStatement(sql: "SELECT 7") === statement)
    }
    var longer = query
    longer.sql += " + 1"
    #expect(longer.text == nil)
    #expect(try first.use { try $0.prepared(longer, isCounted: false).sql } == "SELECT 7 + 1")
    try first.close()
    try second.close()
  }

  @Test("statements with repeated texts share the cached texts")
  func manyTexts() throws {
    try SQLiteConnection().use { database throws in
      for number in 0..<(StatementCache.limit * 2) {
        let query = SQLStatement(SQLText("SELECT \(number % 3)"), bindings: [])
        #expect(try database.prepared(query, isCounted: false).sql == query.sql)
      }
    }
  }
}
