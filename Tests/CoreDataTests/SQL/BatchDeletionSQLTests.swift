import CoreData
import Foundation
import Testing

@testable import CoreData

/// The statements that SQLite executes for batch deletion requests.
@Suite("The SQL of a batch deletion")
struct BatchDeletionSQLTests {
  private func executed(
    _ entity: String,
    _ format: String,
    in stack: Stack,
    limit: Int = 0,
    returnsIDs: Bool = false
  ) throws -> [SQLStatement] {
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    fetch.predicate = try NSPredicate(parsing: format, arguments: [])
    fetch.fetchLimit = limit
    let request = NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = returnsIDs ? .resultTypeObjectIDs : .resultTypeStatusOnly
    return try stack.executed { try stack.context.execute(request) }
  }

  @Test("a batch deletion is one statement if nothing refers to the rows")
  func oneStatement() throws {
    let model = NSManagedObjectModel()
    let (name, place) = (NSAttributeDescription(), NSEntityDescription())
    (name.name, name.attributeType) = ("name", .stringAttributeType)
    place.name = "Place"
    place.properties = [name]
    model.entities = [place]
    let stack = try Stack(.sqlite, model: model, recording: .bindings)
    #expect(
      try executed("Place", "name == 'a'", in: stack)
        == [SQLStatement(sql: "DELETE FROM ZPLACE AS t0 WHERE t0.ZNAME = ?", bindings: [.text("a")])]
    )
    #expect(
      try executed("Place", "name == 'a'", in: stack, returnsIDs: true).map(\.sql)
        == ["DELETE FROM ZPLACE AS t0 WHERE t0.ZNAME = ? RETURNING Z_PK, Z_ENT"]
    )
    #expect(
      try executed("Place", "name == 'a'", in: stack, limit: 2) == [
        SQLStatement(
          sql:
            "DELETE FROM ZPLACE AS t0 WHERE t0.Z_PK IN (SELECT t0.Z_PK FROM ZPLACE t0 WHERE t0.ZNAME = ? LIMIT ?)",
          bindings: [.text("a"), .integer(2)]
        )
      ]
    )
  }

  @Test("a batch deletion uses keys if relationships refer to the rows")
  func keys() throws {
    let stack = try Stack(.sqlite, recording: .bindings)
    stack.note("a", tags: [stack.tag("t")])
    stack.note("b")
    try stack.save()
    let keys: [SQLValue] = [.integer(1), .integer(2)]
    #expect(
      try executed("Note", "rating == 3", in: stack).suffix(3) == [
        SQLStatement(sql: "DELETE FROM Z_3TAGS WHERE Z_3NOTES IN (?, ?)", bindings: keys),
        SQLStatement(
          sql: "UPDATE ZPAGE SET ZNOTE = NULL, Z_FOK_NOTE = NULL WHERE ZNOTE IN (?, ?)",
          bindings: keys
        ),
        SQLStatement(sql: "DELETE FROM ZNOTE WHERE Z_PK IN (?, ?)", bindings: keys),
      ]
    )
  }
}
