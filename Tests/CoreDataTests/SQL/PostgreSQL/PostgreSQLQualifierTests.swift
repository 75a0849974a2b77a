#if PostgreSQL
  import CoreData
  import Foundation
  import Predicates
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// A query may run as a transaction of its own, in a session with the search path of another program.
  @Suite("Schemas in queries of PostgreSQL")
  struct PostgreSQLQualifierTests {
    private static let dialect = PostgreSQLDialect(schema: "Shop")

    @Test(
      "every table, function and collation is named with the schema of the store",
      arguments: [
        "rating > 3", "category.name ==[cd] 'a'", "category.badge.color BEGINSWITH[c] 'a'",
        "ANY tags.name CONTAINS[c] 'a'", "pages.@count > 1", "tags.@count == 0", "title LIKE '?a'",
        "SUBQUERY(tags, $tag, $tag.name == 'a').@count == 1", "lowercase:(title) == 'a'",
      ]
    )
    func names(_ format: String) throws {
      let fetch = try SQLFetch(
        try PostgreSQLText.query("Note", format),
        schema: PostgreSQLText.schema,
        store: 0,
        dialect: Self.dialect
      )
      for sql in [try fetch.rows(["z_pk"]).sql, try fetch.count().sql] { expectQualified(sql) }
    }

    @Test("an order of texts and the destinations of relationships are qualified as well")
    func others() throws {
      var writer = SQLWriter(dialect: Self.dialect)
      try Self.dialect.writeSortTerm(
        { $0.write("t0.title") },
        by: .locale(.caseInsensitive),
        isAscending: true,
        to: &writer
      )
      #expect(writer.statement.sql == "t0.title COLLATE \"Shop\".perennial_locale_c NULLS FIRST")
      let note = try #require(PostgreSQLText.schema.entities.first { $0.entity.name == "Note" })
      for relationship in note.toMany {
        let query = SQLDestinationsQuery(relationship: relationship, dialect: Self.dialect)
        if let statement = try query.statement(from: 1) { expectQualified(statement.sql) }
      }
    }

    private func expectQualified(_ statement: String) {
      // This FROM belongs to an operator.
      let sql = statement.replacing("DISTINCT FROM ", with: "")
      let places = sql.ranges(of: "FROM ") + sql.ranges(of: "JOIN ")
      #expect(!places.isEmpty)
      for place in places {
        let rest = sql[place.upperBound...]
        #expect(rest.hasPrefix("\"Shop\".") || rest.hasPrefix("("), "\(sql)")
      }
      #expect(!sql.replacing("\"Shop\".perennial_", with: "").contains("perennial_"), "\(sql)")
    }
  }
#endif
