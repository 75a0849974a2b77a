import CoreData
import Foundation
import Predicates
import Testing

@testable import CoreData

/// The statements that SQLite executes for batch requests.
@Suite("The SQL of batch requests")
struct BatchSQLTests {
  private let stack: Stack

  init() throws { stack = try Stack(.sqlite, recording: .bindings) }

  private func update(
    _ predicate: String?,
    _ values: [String: Any],
    returnsIDs: Bool = false
  ) throws -> [SQLStatement] {
    let request = NSBatchUpdateRequest(entityName: "Note")
    request.predicate = try predicate.map { try NSPredicate(parsing: $0, arguments: []) }
    request.propertiesToUpdate = values
    request.resultType = returnsIDs ? .updatedObjectIDsResultType : .statusOnlyResultType
    return try stack.executed { try stack.context.execute(request) }
  }

  private func expression(_ format: String) -> Predicates.NSExpression {
    Predicates.NSExpression(format: format)
  }

  @Test("a batch request is one statement with the condition of a fetch")
  func condition() throws {
    let statements = try update(
      "rating > 3",
      ["title": "x", "rating": expression("rating + 1")],
      returnsIDs: true
    )
    #expect(
      statements == [
        SQLStatement(
          sql:
            "UPDATE ZNOTE AS t0 SET Z_OPT = COALESCE(t0.Z_OPT, 0) + 1, ZTITLE = ?, ZRATING = perennial_whole((t0.ZRATING + ?)) "
            + "WHERE t0.ZRATING > ? RETURNING Z_PK, Z_ENT",
          bindings: [.text("x"), .integer(1), .integer(3)]
        )
      ]
    )
  }

  @Test("a batch request uses a subquery if the predicate follows relationships")
  func queryInside() throws {
    #expect(
      try update("category.name == 'c'", ["title": "x"]) == [
        SQLStatement(
          sql:
            "UPDATE ZNOTE AS t0 SET Z_OPT = COALESCE(t0.Z_OPT, 0) + 1, ZTITLE = ? WHERE t0.Z_PK IN (SELECT t0.Z_PK "
            + "FROM ZNOTE t0 LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORY WHERE t1.ZNAME = ?)",
          bindings: [.text("x"), .text("c")]
        )
      ]
    )
  }

  // Batch requests have no limit here, so this statement is only compared and not executed.
  @Test("a batch request with a limit uses a subquery")
  func limit() throws {
    var query = FetchQuery(entity: try TestRows.entity("Note"))
    query.limit = 2
    let update = try SQLBatchUpdate(query, schema: TranslatedFetch.schema, store: 0, dialect: SQLiteDialect())
    let title = try TestRows.slot("title", query.entity.layout)
    #expect(
      try update.statement([(title, .constant(.null))], returnsKeys: false).sql
        == "UPDATE ZNOTE AS t0 SET Z_OPT = COALESCE(t0.Z_OPT, 0) + 1, ZTITLE = ? "
        + "WHERE t0.Z_PK IN (SELECT t0.Z_PK FROM ZNOTE t0 LIMIT ?)"
    )
  }

  @Test("a batch request computes an expression across relationships in a subquery")
  func expressionAcross() throws {
    #expect(
      try update(nil, ["title": expression("category.name")]).map(\.sql) == [
        "UPDATE ZNOTE AS t0 SET Z_OPT = COALESCE(t0.Z_OPT, 0) + 1, ZTITLE = (SELECT t2.ZNAME FROM ZNOTE t1 "
          + "LEFT JOIN ZCATEGORY t2 ON t2.Z_PK = t1.ZCATEGORY WHERE t1.Z_PK = t0.Z_PK)"
      ]
    )
  }

  @Test("a batch request keeps integers exact")
  func wholeNumbers() throws {
    #expect(
      try update(nil, ["rating": expression("ratio")]).map(\.sql) == [
        "UPDATE ZNOTE AS t0 SET Z_OPT = COALESCE(t0.Z_OPT, 0) + 1, ZRATING = perennial_whole(t0.ZRATIO)"
      ]
    )
  }

  @Test("a batch insertion resolves conflicts in its statement")
  func conflicts() throws {
    let model = TestModel.make()
    model.entitiesByName["Tag"]?.uniquenessConstraints = [["name"]]
    let stack = try Stack(.sqlite, model: model, recording: .bindings)
    let insertion = "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, ?, ?)"
    func inserted(_ policy: NSMergePolicy) throws -> [SQLStatement] {
      stack.context.mergePolicy = policy
      let request = NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"]])
      return try stack.executed { try stack.context.execute(request) }.filter {
        $0.bindings.dropFirst() == [.integer(7), .integer(1), .text("a")]
      }
    }
    #expect(try inserted(.error).map(\.sql) == [insertion])
    #expect(
      try inserted(.mergeByPropertyStoreTrump).map(\.sql)
        == ["\(insertion) ON CONFLICT DO NOTHING RETURNING Z_PK, Z_ENT"]
    )
    #expect(
      try inserted(.mergeByPropertyObjectTrump).map(\.sql) == [
        "\(insertion) ON CONFLICT DO UPDATE SET Z_OPT = COALESCE(Z_OPT, 0) + 1, ZNAME = excluded.ZNAME "
          + "RETURNING Z_PK, Z_ENT"
      ]
    )
  }
}
