import Foundation
import Predicates
import Testing

@testable import CoreData

@Suite("The SQL of batch requests")
struct BatchSQLTests {
  private func update(
    _ predicate: String?,
    _ values: [(String, SQLBatchUpdate.Value)],
    returnsKeys: Bool = false,
    limit: Int = 0
  ) throws -> SQLStatement {
    var query = FetchQuery(entity: try TestRows.entity("Note"))
    query.predicate = try predicate.map { try NSPredicate(parsing: $0, arguments: []) }
    query.limit = limit
    let update = try SQLBatchUpdate(query, schema: TranslatedFetch.schema, store: 0, dialect: SQLiteDialect())
    let assignments = try values.map { (try TestRows.slot($0.0, query.entity.layout), $0.1) }
    return try update.statement(assignments, returnsKeys: returnsKeys)
  }

  private func expression(_ format: String) -> SQLBatchUpdate.Value {
    .expression(Predicates.NSExpression(format: format))
  }

  @Test("is one statement with the condition of a fetch")
  func condition() throws {
    let statement = try update(
      "rating > 3",
      [("title", .constant(.text("x"))), ("rating", expression("rating + 1"))],
      returnsKeys: true
    )
    #expect(
      statement.sql
        == "UPDATE ZNOTE AS t0 SET Z_OPT = COALESCE(t0.Z_OPT, 0) + 1, ZTITLE = ?, ZRATING = (t0.ZRATING + ?) "
        + "WHERE t0.ZRATING > ? RETURNING Z_PK, Z_ENT"
    )
    #expect(statement.bindings == [.text("x"), .integer(1), .integer(3)])
  }

  @Test("finds the keys in a query inside where the predicate follows relationships, or there is a limit")
  func queryInside() throws {
    #expect(
      try update("category.name == 'c'", [("title", .constant(.null))]).sql
        == "UPDATE ZNOTE AS t0 SET Z_OPT = COALESCE(t0.Z_OPT, 0) + 1, ZTITLE = ? WHERE t0.Z_PK IN (SELECT t0.Z_PK "
        + "FROM ZNOTE t0 LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORY WHERE t1.ZNAME = ?)"
    )
    #expect(
      try update(nil, [("title", .constant(.null))], limit: 2).sql
        == "UPDATE ZNOTE AS t0 SET Z_OPT = COALESCE(t0.Z_OPT, 0) + 1, ZTITLE = ? "
        + "WHERE t0.Z_PK IN (SELECT t0.Z_PK FROM ZNOTE t0 LIMIT ?)"
    )
  }

  @Test("computes an expression across relationships in a query of its own")
  func expressionAcross() throws {
    #expect(
      try update(nil, [("title", expression("category.name"))]).sql
        == "UPDATE ZNOTE AS t0 SET Z_OPT = COALESCE(t0.Z_OPT, 0) + 1, ZTITLE = (SELECT t2.ZNAME FROM ZNOTE t1 "
        + "LEFT JOIN ZCATEGORY t2 ON t2.Z_PK = t1.ZCATEGORY WHERE t1.Z_PK = t0.Z_PK)"
    )
  }

  @Test("keeps whole numbers whole")
  func wholeNumbers() throws {
    #expect(
      try update(nil, [("rating", expression("ratio"))]).sql
        == "UPDATE ZNOTE AS t0 SET Z_OPT = COALESCE(t0.Z_OPT, 0) + 1, ZRATING = CAST(t0.ZRATIO AS INTEGER)"
    )
  }

  @Test("resolves conflicts in the insertion itself")
  func conflicts() throws {
    let entity = try TranslatedFetch.schema.entity(try TestRows.entity("Tag"))
    let slot = try TestRows.slot("name", entity.layout)
    let statements = SQLRowStatements(dialect: SQLiteDialect())
    let insertion = "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, ?, ?)"
    #expect(statements.insertion(entity, slots: [slot], resolving: .fail) == insertion)
    #expect(
      statements.insertion(entity, slots: [slot], resolving: .keep)
        == "\(insertion) ON CONFLICT DO NOTHING RETURNING Z_PK, Z_ENT"
    )
    #expect(
      statements.insertion(entity, slots: [slot], resolving: .assign([slot]))
        == "\(insertion) ON CONFLICT DO UPDATE SET Z_OPT = COALESCE(Z_OPT, 0) + 1, ZNAME = excluded.ZNAME "
        + "RETURNING Z_PK, Z_ENT"
    )
  }
}
