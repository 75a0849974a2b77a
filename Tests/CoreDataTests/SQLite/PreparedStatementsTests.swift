import GRDB
import Testing

@testable import CoreData

@Suite("Statements that a connection holds prepared")
struct PreparedStatementsTests {
  private struct WeakStatement {
    weak var statement: Statement?
  }

  private func statement(_ number: Int) -> SQLStatement {
    SQLStatement(sql: "SELECT \(number)", bindings: [])
  }

  @Test("are as many as the limit at most, and the ones that come after it are held as well")
  func limit() throws {
    let queue = try DatabaseQueue()
    let prepared = PreparedStatements()
    try queue.write { database in
      var all: [WeakStatement] = []
      for number in 0..<(PreparedStatements.limit * 5 / 2) {
        let query = statement(number)
        #expect(prepared.holds(query, on: database))
        all.append(WeakStatement(statement: try database.cachedStatement(sql: query.sql)))
      }
      #expect(all.count { $0.statement != nil } == PreparedStatements.limit / 2)
      #expect(all.last?.statement != nil)
      // One that comes again is no further one.
      for _ in 0..<PreparedStatements.limit {
        #expect(prepared.holds(statement(PreparedStatements.limit * 5 / 2 - 1), on: database))
      }
      #expect(all.count { $0.statement != nil } == PreparedStatements.limit / 2)
    }
  }

  @Test("are counted for each connection")
  func connections() throws {
    let prepared = PreparedStatements()
    let first = try DatabaseQueue()
    let second = try DatabaseQueue()
    let held = try first.write { database in
      for number in 0..<PreparedStatements.limit { _ = prepared.holds(statement(number), on: database) }
      return WeakStatement(statement: try database.cachedStatement(sql: "SELECT 1"))
    }
    try second.write { database in
      for number in 0...PreparedStatements.limit { #expect(prepared.holds(statement(-number), on: database)) }
    }
    #expect(held.statement != nil)
    try first.write { _ = prepared.holds(statement(PreparedStatements.limit), on: $0) }
    #expect(held.statement == nil)
  }

  @Test("are those of requests that come again, and none with a long list of values")
  func lists() throws {
    let prepared = PreparedStatements()
    try DatabaseQueue().write { database in
      let values = (0..<20).map { SQLValue.integer($0) }
      #expect(prepared.holds(SQLStatement(sql: "SELECT 1", bindings: values), on: database))
      #expect(!prepared.holds(SQLStatement(sql: "SELECT 1", bindings: values + [.integer(20)]), on: database))
    }
  }

  @Test("a statement that is being run goes on when its connection lets go of all")
  func running() throws {
    let prepared = PreparedStatements()
    let queue = try DatabaseQueue()
    try queue.write { database in
      let text = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i FROM n"
      var count = 0
      try SQLiteQuery(SQLStatement(sql: text, bindings: []), in: database, isCached: true).forEachRow { _ in
        _ = prepared.holds(statement(count), on: database)
        count += 1
      }
      #expect(count == 1000)
    }
  }

  @Test("are found by the identity of their text, as long as the connection holds them")
  func identity() throws {
    let prepared = PreparedStatements()
    let text = SQLText("SELECT 7")
    let query = SQLStatement(text, bindings: [])
    let (first, second) = (try DatabaseQueue(), try DatabaseQueue())
    try first.write { database in
      let statement = try prepared.statement(query, on: database, isCounted: true)
      #expect(try prepared.statement(query, on: database, isCounted: true) === statement)
      #expect(try database.cachedStatement(sql: "SELECT 7") === statement)
      let another = try second.write { try prepared.statement(query, on: $0, isCounted: true) }
      #expect(another !== statement)
    }
    try first.write { database in
      database.clearSchemaCache()
      let statement = try prepared.statement(query, on: database, isCounted: true)
      #expect(try database.cachedStatement(sql: "SELECT 7") === statement)
    }
    var longer = query
    longer.sql += " + 1"
    #expect(longer.text == nil)
    let sql = try first.read { try prepared.statement(longer, on: $0, isCounted: false).sql }
    #expect(sql == "SELECT 7 + 1")
    try first.close()
    try second.close()
  }

  @Test("of few texts that come again are those of the texts that are kept")
  func manyTexts() throws {
    let prepared = PreparedStatements()
    try DatabaseQueue().write { database in
      for number in 0..<(PreparedStatements.limit * 2) {
        let query = SQLStatement(SQLText("SELECT \(number % 3)"), bindings: [])
        let statement = try prepared.statement(query, on: database, isCounted: false)
        #expect(statement.sql == query.sql)
      }
    }
  }
}
