import CoreData
import Foundation
import GRDB
import Testing

@testable import CoreData

@Suite("Query plans")
struct QueryPlanTests {
  @Test(
    "use an index wherever one can be used",
    arguments: [
      "title == 'a'", "title BEGINSWITH 'a'", "title IN {'a', 'b'}", "title > 'a'",
      "title BETWEEN {'a', 'b'}",
      "category.name == 'x' AND title == 'a'",
    ]
  )
  func index(_ format: String) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(folder)
    try folder.execute("CREATE INDEX Z_Note_byTitle ON ZNOTE (ZTITLE COLLATE BINARY ASC)")
    var query = FetchQuery(entity: try TestRows.entity("Note"))
    query.predicate = try NSPredicate(parsing: format, arguments: [])
    let engine = try store.engine()
    let statement = try SQLFetch(query, schema: engine.schema, store: 0, dialect: engine.dialect).rows([
      "Z_PK"
    ])
    let plan = try engine.connections.read { database in
      try Row.fetchAll(
        database,
        sql: "EXPLAIN QUERY PLAN \(statement.sql)",
        arguments: StatementArguments(
          statement.bindings.map { value in
            switch value {
            case .text(let text): text
            default: nil
            }
          }
        )
      ).map { $0["detail"] as String }
    }
    #expect(plan.contains { $0.contains("Z_Note_byTitle") }, "\(plan)")
  }
}
