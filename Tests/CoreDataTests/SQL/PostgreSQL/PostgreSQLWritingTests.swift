#if PostgreSQL
  import CoreData
  import Foundation
  import Predicates
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// The statements of saves and batches in PostgreSQL's dialect, without a store.
  @Suite("Changes in the SQL of PostgreSQL")
  struct PostgreSQLWritingTests {
    private let schema = PostgreSQLText.schema
    private let statements = SQLRowStatements(dialect: PostgreSQLText.dialect)

    private func entity(_ name: String) throws -> SQLEntity { try schema.entity(TestRows.entity(name)) }

    @Test("a save inserts, updates and deletes with the version")
    func rows() throws {
      let (tag, page) = (try entity("Tag"), try entity("Page"))
      let slots = Array(page.slots.indices)
      #expect(
        statements.insertion(page, slots: slots)
          == "INSERT INTO page (z_pk, z_ent, z_opt, number, note) VALUES ($1, $2, $3, $4, $5)"
      )
      #expect(
        statements.update(page, slots: slots)
          == "UPDATE page SET z_opt = $1, number = $2, note = $3 WHERE z_pk = $4 AND COALESCE(z_opt, 0) = $5"
      )
      #expect(statements.deletion(tag) == "DELETE FROM tag WHERE z_pk = $1 AND COALESCE(z_opt, 0) = $2")
      #expect(statements.keyLookup(tag, slots: [0]) == "SELECT z_pk FROM tag WHERE name = $1")
    }

    @Test("a save writes relationships")
    func links() throws {
      let note = try entity("Note")
      guard case .join(let tags) = note.toMany[try TestRows.toMany("tags", note.layout)],
        case .foreignKey(let pages) = note.toMany[try TestRows.toMany("pages", note.layout)]
      else {
        Issue.record("the note's relationships are kept otherwise")
        return
      }
      #expect(
        statements.linkInsertion(tags.table, rows: 2)
          == "INSERT INTO note_tags (tag_notes, note_tags) VALUES ($1, $2), ($3, $4) ON CONFLICT DO NOTHING"
      )
      #expect(
        statements.linkDeletion(tags.table) == "DELETE FROM note_tags WHERE tag_notes = $1 AND note_tags = $2"
      )
      #expect(
        statements.linksDeletion(tags.table.name, column: tags.source)
          == "DELETE FROM note_tags WHERE tag_notes = $1"
      )
      #expect(
        statements.linkOrder(tags, column: "place")
          == "UPDATE note_tags SET place = $1 WHERE tag_notes = $2 AND note_tags = $3"
      )
      #expect(
        statements.assignment(pages.table, column: pages.column)
          == "UPDATE page SET note = $1 WHERE z_pk = $2"
      )
      #expect(
        statements.removal(pages.table, column: pages.column)
          == "UPDATE page SET note = NULL WHERE z_pk = $1 AND note = $2"
      )
      #expect(
        statements.removal(ofAll: pages.table, column: pages.column)
          == "UPDATE page SET note = NULL WHERE note = $1"
      )
    }

    @Test("derived texts are computed by functions of the server")
    func derivation() throws {
      let (name, person) = (NSAttributeDescription(), NSEntityDescription())
      (name.name, name.attributeType, person.name) = ("name", .stringAttributeType, "Person")
      let derived = ["canonical", "uppercase", "lowercase"].map { function in
        let attribute = NSDerivedAttributeDescription()
        (attribute.name, attribute.attributeType) = (function, .stringAttributeType)
        attribute.derivationExpression = .init(format: "\(function):(name)")
        return attribute
      }
      person.properties = [name] + derived
      let model = NSManagedObjectModel()
      model.entities = [person]
      let schema = PostgreSQLText.build(model)
      #expect(
        try statements.derivation(schema.entity(person))
          == "UPDATE person SET canonical = perennial_fold_cd(name), uppercase = perennial_uppercase(name), "
          + "lowercase = perennial_lowercase(name) WHERE z_pk = $1"
      )
      #expect(try schema.creationStatements(PostgreSQLText.dialect).count == 1)
    }

    // MARK: - Batches

    private func upsert(_ resolution: SQLConflictResolution, constraints: Int = 1) throws -> String {
      let model = TestModel.make()
      model.entitiesByName["Tag"]?.uniquenessConstraints = [["name"]]
      let schema = PostgreSQLText.build(model)
      return try statements.insertion(
        schema.entity(TestRows.entity("Tag", in: model)),
        slots: [0],
        resolving: resolution,
        of: Array(repeating: schema.constraints, count: constraints).flatMap(\.self)
      )
    }

    @Test("a batch insertion names the constraint whose conflicts it resolves")
    func insertion() throws {
      #expect(try upsert(.fail) == "INSERT INTO tag (z_pk, z_ent, z_opt, name) VALUES ($1, $2, $3, $4)")
      #expect(
        try upsert(.ignore)
          == "INSERT INTO tag (z_pk, z_ent, z_opt, name) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING "
          + "RETURNING z_pk, z_ent"
      )
      #expect(
        try upsert(.assign([0]))
          == "INSERT INTO tag (z_pk, z_ent, z_opt, name) VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO "
          + "UPDATE SET z_opt = COALESCE(tag.z_opt, 0) + 1, name = excluded.name RETURNING z_pk, z_ent"
      )
      let error = #expect(throws: NSError.self) { try upsert(.assign([0]), constraints: 2) }
      #expect(error?.localizedDescription.contains("one constraint") == true)
    }

    private func update(_ query: FetchQuery, _ name: String, _ value: SQLBatchUpdate.Value) throws
      -> SQLStatement
    {
      let update = try SQLBatchUpdate(query, schema: schema, store: 0, dialect: PostgreSQLText.dialect)
      let slot = try TestRows.slot(name, query.entity.layout)
      return try update.statement([(slot, value)], returnsKeys: true)
    }

    @Test("a batch update assigns values of the attribute's type")
    func update() throws {
      let query = try PostgreSQLText.query("Note", "rating > 3")
      #expect(
        try update(query, "title", .constant(.text("x"))).sql
          == "UPDATE note AS t0 SET z_opt = COALESCE(t0.z_opt, 0) + 1, title = $1 WHERE t0.rating > "
          + "$2::bigint RETURNING z_pk, z_ent"
      )
      #expect(
        try update(query, "rating", .expression(.init(format: "medium + 1"))).sql
          == "UPDATE note AS t0 SET z_opt = COALESCE(t0.z_opt, 0) + 1, rating = (t0.medium::numeric + "
          + "$1::bigint::numeric) WHERE t0.rating > $2::bigint RETURNING z_pk, z_ent"
      )
      #expect(
        try update(query, "rating", .expression(.init(format: "ratio"))).sql
          == "UPDATE note AS t0 SET z_opt = COALESCE(t0.z_opt, 0) + 1, rating = trunc((t0.ratio)::double "
          + "precision)::bigint WHERE t0.rating > $1::bigint RETURNING z_pk, z_ent"
      )
      #expect(
        try update(query, "isPinned", .expression(.init(format: "rating"))).sql
          == "UPDATE note AS t0 SET z_opt = COALESCE(t0.z_opt, 0) + 1, is_pinned = ((t0.rating) <> 0) "
          + "WHERE t0.rating > $1::bigint RETURNING z_pk, z_ent"
      )
      #expect(
        try update(query, "title", .expression(.init(format: "category.name"))).sql
          == "UPDATE note AS t0 SET z_opt = COALESCE(t0.z_opt, 0) + 1, title = (SELECT t2.name FROM note "
          + "t1 LEFT JOIN category t2 ON t2.z_pk = t1.category WHERE t1.z_pk = t0.z_pk) WHERE t0.rating "
          + "> $1::bigint RETURNING z_pk, z_ent"
      )
      #expect(
        try update(PostgreSQLText.query("Note", "category.name == 'c'"), "title", .constant(.null)).sql
          == "UPDATE note AS t0 SET z_opt = COALESCE(t0.z_opt, 0) + 1, title = $1 WHERE t0.z_pk IN "
          + "(SELECT t0.z_pk FROM note t0 LEFT JOIN category t1 ON t1.z_pk = t0.category WHERE t1.name = "
          + "$2::text) RETURNING z_pk, z_ent"
      )
    }

    @Test("a batch deletion uses a condition, or keys if relationships refer to the rows")
    func deletion() throws {
      let deletion = SQLBatchDeletion(
        entities: [try entity("Note")],
        schema: schema,
        dialect: PostgreSQLText.dialect
      )
      let fetch = try PostgreSQLText.fetch(PostgreSQLText.query("Note", "rating == 1"))
      #expect(
        try deletion.statement(fetch, returnsKeys: true).sql
          == "DELETE FROM note AS t0 WHERE t0.rating = $1::bigint RETURNING z_pk, z_ent"
      )
      let keys = SQLList.integers([1, 2])
      #expect(
        deletion.statements(for: keys).map(\.sql) == [
          "DELETE FROM note_tags WHERE tag_notes IN (SELECT unnest($1::bigint[]))",
          "UPDATE page SET note = NULL, note_order = NULL WHERE note IN (SELECT unnest($1::bigint[]))",
          "DELETE FROM note WHERE z_pk IN (SELECT unnest($1::bigint[]))",
        ]
      )
      #expect(deletion.externalData(of: keys) == nil)
      #expect(deletion.stranded(by: keys).isEmpty)
    }
  }
#endif
