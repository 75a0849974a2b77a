import Foundation
import Testing

@testable import CoreData

@Suite("The SQL of a batch deletion")
struct BatchDeletionSQLTests {
  private func sql(_ format: String, limit: Int = 0, returnsKeys: Bool = false) throws -> String {
    let model = NSManagedObjectModel()
    let (name, place) = (NSAttributeDescription(), NSEntityDescription())
    (name.name, name.attributeType) = ("name", .stringAttributeType)
    place.name = "Place"
    place.properties = [name]
    model.entities = [place]
    model.freeze()
    let schema = try SQLSchemaBuilder.build(model: model, entities: model.entities)
    var query = FetchQuery(entity: place)
    query.predicate = try NSPredicate(parsing: format, arguments: [])
    query.limit = limit
    let entity = try schema.entity(place)
    let deletion = SQLBatchDeletion(entities: [entity], schema: schema, dialect: SQLiteDialect())
    #expect(deletion.isOfRowsAlone)
    let fetch = try SQLFetch(query, schema: schema, store: 0, dialect: SQLiteDialect())
    return try deletion.statement(fetch, returnsKeys: returnsKeys).sql
  }

  @Test("is one statement where nothing leads to the rows")
  func oneStatement() throws {
    #expect(try sql("name == 'a'") == "DELETE FROM ZPLACE AS t0 WHERE t0.ZNAME = ?")
    #expect(
      try sql("name == 'a'", returnsKeys: true)
        == "DELETE FROM ZPLACE AS t0 WHERE t0.ZNAME = ? RETURNING Z_PK, Z_ENT"
    )
    #expect(
      try sql("name == 'a'", limit: 2)
        == "DELETE FROM ZPLACE AS t0 WHERE t0.Z_PK IN (SELECT t0.Z_PK FROM ZPLACE t0 WHERE t0.ZNAME = ? LIMIT ?)"
    )
  }

  @Test("goes by keys where relationships lead to the rows")
  func keys() throws {
    let schema = TranslatedFetch.schema
    let note = try schema.entity(try TestRows.entity("Note"))
    let deletion = SQLBatchDeletion(entities: [note], schema: schema, dialect: SQLiteDialect())
    #expect(!deletion.isOfRowsAlone)
    #expect(
      deletion.statements(for: .integers([1, 2])).map(\.sql) == [
        "DELETE FROM Z_3TAGS WHERE Z_3NOTES IN (?, ?)",
        "UPDATE ZPAGE SET ZNOTE = NULL, Z_FOK_NOTE = NULL WHERE ZNOTE IN (?, ?)",
        "DELETE FROM ZNOTE WHERE Z_PK IN (?, ?)",
      ]
    )
  }
}
