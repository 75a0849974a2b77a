#if PostgreSQL
  import CoreData
  import Foundation
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// The statements of fetches and faults in PostgreSQL's dialect, without a store.
  @Suite("Fetches in the SQL of PostgreSQL")
  struct PostgreSQLFetchTests {
    private func sorted(_ key: String, _ selector: Selector?, ascending: Bool = true) -> NSSortDescriptor {
      selector.map { NSSortDescriptor(key: key, ascending: ascending, selector: $0) }
        ?? NSSortDescriptor(key: key, ascending: ascending)
    }

    @Test("nulls come first, and texts are ordered by bytes, folded or by a locale")
    func sorting() throws {
      var query = try PostgreSQLText.query("Note", "rating > 2")
      query.sortDescriptors = [
        sorted("category.name", nil, ascending: false), sorted("rating", nil),
        sorted("title", "caseInsensitiveCompare:"), sorted("title", "localizedStandardCompare:"),
        sorted("title", "localizedCompare:"),
      ]
      (query.limit, query.offset) = (5, 10)
      let statement = try PostgreSQLText.fetch(query).rows(["z_pk", "title"])
      #expect(
        statement.sql
          == "SELECT t0.z_pk, t0.title FROM note t0 LEFT JOIN category t1 ON t1.z_pk = t0.category WHERE "
          + "t0.rating > $1::bigint ORDER BY t1.name COLLATE \"C\" DESC NULLS LAST, t0.rating NULLS "
          + "FIRST, perennial_fold_c(t0.title) COLLATE \"C\" NULLS FIRST, t0.title COLLATE "
          + "perennial_finderlike NULLS FIRST, t0.title COLLATE perennial_locale NULLS FIRST LIMIT "
          + "$2::bigint OFFSET $3::bigint"
      )
      #expect(statement.bindings == [.integer(2), .integer(5), .integer(10)])
    }

    @Test("a count within limits names the query inside")
    func count() throws {
      var query = try PostgreSQLText.query("Note")
      #expect(try PostgreSQLText.fetch(query).count().sql == "SELECT COUNT(*) FROM note t0")
      query.offset = 3
      #expect(
        try PostgreSQLText.fetch(query).count().sql
          == "SELECT COUNT(*) FROM (SELECT 1 FROM note t0 OFFSET $1::bigint) AS found"
      )
    }

    @Test("keys come as one array, and in pages by key")
    func keys() throws {
      var query = try PostgreSQLText.query("Employee")
      query.keys = [4, 9]
      let statement = try PostgreSQLText.fetch(query).rows(["z_pk", "z_ent"])
      #expect(
        statement.sql == "SELECT t0.z_pk, t0.z_ent FROM person t0 WHERE t0.z_ent = 6 AND t0.z_pk IN (SELECT "
          + "unnest($1::bigint[]))"
      )
      #expect(statement.bindings == [.text("{\"4\",\"9\"}")])
      query.keys = nil
      query.after = 7
      #expect(
        try PostgreSQLText.fetch(query).rows(["z_pk"]).sql
          == "SELECT t0.z_pk FROM person t0 WHERE t0.z_ent = 6 AND t0.z_pk > $1::bigint ORDER BY t0.z_pk"
      )
    }

    @Test("fetches that nothing can match have a false condition")
    func never() throws {
      let query = try PostgreSQLText.query("Note", "rating == 'x'")
      #expect(try PostgreSQLText.fetch(query).count().sql == "SELECT COUNT(*) FROM note t0 WHERE FALSE")
    }

    @Test("faults and relationships have statements of their own")
    func relationships() throws {
      let plans = SQLRowPlans(schema: PostgreSQLText.schema, dialect: PostgreSQLText.dialect)
      let note = try PostgreSQLText.schema.entity(TestRows.entity("Note"))
      let lookup = try #require(plans.lookup(root: note.layout.rootNumber))
      #expect(
        lookup.text.sql
          == "SELECT z_pk, z_opt, z_ent, title, rating, created_at, is_pinned, small, medium, ratio, "
          + "share, price, body, identifier, link, category FROM note WHERE z_pk = $1"
      )
      let (tags, pages) = (
        try TestRows.toMany("tags", note.layout), try TestRows.toMany("pages", note.layout)
      )
      #expect(
        try plans.destinations(of: tags, entity: note)?.sql
          == "SELECT t0.z_pk, t0.z_ent FROM note_tags t1 JOIN tag t0 ON t0.z_pk = t1.note_tags WHERE "
          + "t1.tag_notes = $1 ORDER BY t0.z_pk"
      )
      #expect(
        try plans.destinations(of: pages, entity: note)?.sql
          == "SELECT t0.z_pk, t0.z_ent FROM page t0 WHERE t0.note = $1 ORDER BY t0.note_order NULLS "
          + "FIRST, t0.z_pk"
      )
      let query = SQLDestinationsQuery(relationship: note.toMany[tags], dialect: PostgreSQLText.dialect)
      let prefetch = try #require(try query.statement(["z_pk", "name"], fromEach: [1, 2]))
      #expect(
        prefetch.sql == "SELECT t0.z_pk, t0.name, t1.tag_notes FROM note_tags t1 JOIN tag t0 ON t0.z_pk = "
          + "t1.note_tags WHERE t1.tag_notes IN (SELECT unnest($1::bigint[]))"
      )
    }
  }
#endif
