#if PostgreSQL
  import CoreData
  import Foundation
  import TestSupport
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// The statements of schemas and their checks in PostgreSQL's dialect, without a store.
  @Suite("The schema in the SQL of PostgreSQL")
  struct PostgreSQLSchemaTests {
    @Test("the schema has PostgreSQL's names and types, and indexes with nulls first")
    func creation() throws {
      #expect(
        try PostgreSQLText.schema.creationStatements(PostgreSQLText.dialect) == [
          "CREATE TABLE badge ( z_pk bigint PRIMARY KEY, z_ent bigint, z_opt bigint, category "
            + "bigint, color text COLLATE \"C\" )",
          "CREATE TABLE category ( z_pk bigint PRIMARY KEY, z_ent bigint, z_opt bigint, badge "
            + "bigint, name text COLLATE \"C\" )",
          "CREATE TABLE note ( z_pk bigint PRIMARY KEY, z_ent bigint, z_opt bigint, is_pinned "
            + "boolean, medium integer, rating bigint, small smallint, category bigint, created_at "
            + "double precision, ratio double precision, share double precision, price numeric, title "
            + "text COLLATE \"C\", identifier uuid, link text COLLATE \"C\", body bytea )",
          "CREATE TABLE note_tags ( tag_notes bigint, note_tags bigint, PRIMARY KEY (tag_notes, note_tags) )",
          "CREATE TABLE page ( z_pk bigint PRIMARY KEY, z_ent bigint, z_opt bigint, number smallint, "
            + "note bigint, note_order bigint )",
          "CREATE TABLE person ( z_pk bigint PRIMARY KEY, z_ent bigint, z_opt bigint, manager "
            + "bigint, manager_entity bigint, salary double precision, name text COLLATE \"C\" )",
          "CREATE TABLE tag ( z_pk bigint PRIMARY KEY, z_ent bigint, z_opt bigint, name text COLLATE \"C\" )",
          "CREATE INDEX badge_category_index ON badge (category)",
          "CREATE INDEX category_badge_index ON category (badge)",
          "CREATE INDEX note_category_index ON note (category)",
          "CREATE INDEX note_tags_note_tags_index ON note_tags (note_tags, tag_notes)",
          "CREATE INDEX page_note_index ON page (note)",
          "CREATE INDEX person_manager_index ON person (manager)",
          "CREATE INDEX person_z_ent_index ON person (z_ent)",
        ]
      )
    }

    /// A model with names that are reserved words or not ASCII, with indexes, constraints and orders, and with relationships
    /// without an inverse.
    private static func model() -> NSManagedObjectModel {
      let user = entity("User", ["order": .stringAttributeType, "größe": .doubleAttributeType])
      let admin = entity("Admin", ["lastLogin": .dateAttributeType])
      user.subentities = [admin]
      let group = entity("Group", ["zPk": .integer32AttributeType])
      group.propertiesByName["zPk"]?.isOptional = false
      let groups = relate(user, "groups", to: group)
      let members = relate(group, "members", to: user)
      (groups.inverseRelationship, members.inverseRelationship) = (members, groups)
      let friends = relate(user, "friends", to: user)
      friends.inverseRelationship = friends
      relate(group, "owner", to: user).maxCount = 1
      (members.isOrdered, relate(user, "trophies", to: group).isOrdered) = (true, true)
      let elements = ["order", "größe"].compactMap { name in
        user.propertiesByName[name].map {
          NSFetchIndexElementDescription(property: $0, collationType: .binary)
        }
      }
      elements.last?.isAscending = false
      user.indexes = [NSFetchIndexDescription(name: "byOrderAndSize", elements: elements)]
      user.uniquenessConstraints = [["order"]]
      let model = NSManagedObjectModel()
      model.entities = [user, admin, group]
      return model
    }

    private static func entity(_ name: String, _ attributes: [String: NSAttributeType]) -> NSEntityDescription {
      let entity = NSEntityDescription()
      entity.name = name
      entity.properties = attributes.map { name, type in
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
      }
      return entity
    }

    @discardableResult
    private static func relate(
      _ source: NSEntityDescription,
      _ name: String,
      to destination: NSEntityDescription
    ) -> NSRelationshipDescription {
      let relationship = NSRelationshipDescription()
      (relationship.name, relationship.isOptional, relationship.maxCount) = (name, true, 0)
      relationship.destinationEntity = destination
      source.properties += [relationship]
      return relationship
    }

    @Test("the schema quotes reserved words, and separates the model's names from its own")
    func names() throws {
      #expect(
        try PostgreSQLText.build(Self.model()).creationStatements(PostgreSQLText.dialect) == [
          "CREATE TABLE \"group\" ( z_pk bigint PRIMARY KEY, z_ent bigint, z_opt bigint, z_pk1 "
            + "integer, owner bigint, owner_entity bigint, user_trophies bigint, user_trophies_order "
            + "bigint )",
          "CREATE TABLE group_members ( user_groups bigint, group_members bigint, "
            + "group_members_order bigint, PRIMARY KEY (user_groups, group_members) )",
          "CREATE TABLE \"user\" ( z_pk bigint PRIMARY KEY, z_ent bigint, z_opt bigint, \"größe\" "
            + "double precision, last_login double precision, \"order\" text COLLATE \"C\" )",
          "CREATE TABLE user_friends ( reflexive bigint, user_friends bigint, PRIMARY KEY "
            + "(reflexive, user_friends) )",
          "CREATE INDEX group_owner_index ON \"group\" (owner)",
          "CREATE INDEX group_user_trophies_index ON \"group\" (user_trophies)",
          "CREATE INDEX group_members_group_members_index ON group_members (group_members, user_groups)",
          "CREATE INDEX user_z_ent_index ON \"user\" (z_ent)",
          "CREATE INDEX user_by_order_and_size ON \"user\" (\"order\" NULLS FIRST, \"größe\" DESC "
            + "NULLS LAST)",
          "CREATE UNIQUE INDEX user_unique_order ON \"user\" (\"order\" NULLS FIRST)",
          "CREATE INDEX user_friends_user_friends_index ON user_friends (user_friends, reflexive)",
        ]
      )
    }

    @Test("the schema has a comment for each table and column")
    func comments() throws {
      let comments = PostgreSQLComments(PostgreSQLText.build(Self.model())).statements
      for comment in [
        "TABLE \"user\" IS 'The objects of User, Admin.'", "COLUMN \"user\".z_pk IS 'The key of the object.'",
        "COLUMN \"user\".last_login IS 'Admin.lastLogin: seconds since 2001-01-01 00:00 UTC.'",
        "COLUMN \"user\".\"order\" IS 'User.order.'",
        "COLUMN \"group\".owner IS 'Group.owner: the key of a row of user.'",
        "COLUMN \"group\".owner_entity IS 'Group.owner: the entity of that row.'",
        "COLUMN \"group\".user_trophies IS 'The key of the object whose User.trophies has this one.'",
        "COLUMN \"group\".user_trophies_order IS 'The place of this object in User.trophies.'",
        "TABLE perennial_model IS 'The model, compressed.'",
      ] {
        #expect(comments.contains("COMMENT ON \(comment)"), "\(comment)")
      }
      // Each table and each column of an entity has a name.
      let schema = PostgreSQLText.build(Self.model())
      for table in schema.tables {
        for column in table.columns {
          let target =
            "COMMENT ON COLUMN \(PostgreSQLText.dialect.identifier(table.name))"
            + ".\(PostgreSQLText.dialect.identifier(column.name)) IS "
          #expect(comments.filter { $0.hasPrefix(target) }.count == 1, "\(target)")
        }
      }
      for join in schema.joinTables {
        #expect(comments.filter { $0.contains(" \(join.name).") }.count >= 2, "\(join.name)")
      }
    }

    @Test("the schema is checked and repaired by statements of the same kind")
    func checks() throws {
      let schema = PostgreSQLText.build(Self.model())
      let problems = SQLStoreProblems(schema: schema, dialect: PostgreSQLText.dialect).all()
      let statements = problems.flatMap { [$0.query(PostgreSQLText.dialect)] + $0.repair }
      #expect(
        statements == [
          "SELECT t.z_pk FROM \"group\" t WHERE t.z_ent IS NULL OR t.z_ent NOT IN (1) ORDER BY 1",
          "UPDATE \"group\" SET z_ent = 1 WHERE z_ent IS NULL OR z_ent != 1",
          "SELECT t.z_pk FROM \"group\" t WHERE t.z_opt IS NULL ORDER BY 1",
          "UPDATE \"group\" SET z_opt = 1 WHERE z_opt IS NULL",
          "SELECT t.z_pk FROM \"user\" t WHERE t.z_ent IS NULL OR t.z_ent NOT IN (2, 3) ORDER BY 1",
          "SELECT t.z_pk FROM \"user\" t WHERE t.z_opt IS NULL ORDER BY 1",
          "UPDATE \"user\" SET z_opt = 1 WHERE z_opt IS NULL",
          "SELECT t.z_pk FROM \"group\" t WHERE t.z_ent = 1 AND t.z_pk1 IS NULL ORDER BY 1",
          "SELECT t.z_pk FROM \"group\" t WHERE t.owner > 0 AND NOT EXISTS (SELECT 1 FROM \"user\" d "
            + "WHERE d.z_pk = t.owner) ORDER BY 1",
          "UPDATE \"group\" AS t SET owner = NULL, owner_entity = NULL WHERE t.owner > 0 AND NOT "
            + "EXISTS (SELECT 1 FROM \"user\" d WHERE d.z_pk = t.owner)",
          "SELECT t.z_pk FROM \"group\" t WHERE t.owner > 0 AND t.owner_entity != (SELECT d.z_ent "
            + "FROM \"user\" d WHERE d.z_pk = t.owner) ORDER BY 1",
          "UPDATE \"group\" AS t SET owner_entity = (SELECT d.z_ent FROM \"user\" d WHERE d.z_pk = "
            + "t.owner) WHERE t.owner > 0 AND t.owner_entity != (SELECT d.z_ent FROM \"user\" d WHERE "
            + "d.z_pk = t.owner)",
          "SELECT t.ctid FROM group_members t WHERE t.user_groups > 0 AND (t.group_members_order IS "
            + "NULL OR (t.user_groups, t.group_members_order) IN (SELECT o.user_groups, o.group_members_order "
            + "FROM group_members o GROUP BY o.user_groups, o.group_members_order HAVING COUNT(*) > 1)) ORDER BY 1",
          "UPDATE group_members SET group_members_order = p.place FROM (SELECT ctid AS id, 2048 + "
            + "1024 * (ROW_NUMBER() OVER (PARTITION BY user_groups ORDER BY group_members_order IS NULL, "
            + "group_members_order, ctid) - 1) AS place FROM group_members WHERE user_groups IN (SELECT "
            + "t.user_groups FROM group_members t WHERE t.user_groups > 0 AND (t.group_members_order IS "
            + "NULL OR (t.user_groups, t.group_members_order) IN (SELECT o.user_groups, o.group_members_order "
            + "FROM group_members o GROUP BY o.user_groups, o.group_members_order HAVING COUNT(*) > 1)))) p WHERE "
            + "group_members.ctid = p.id",
          "SELECT t.z_pk FROM \"group\" t WHERE t.user_trophies > 0 AND NOT EXISTS (SELECT 1 FROM "
            + "\"user\" d WHERE d.z_pk = t.user_trophies) ORDER BY 1",
          "UPDATE \"group\" AS t SET user_trophies = NULL WHERE t.user_trophies > 0 AND NOT EXISTS "
            + "(SELECT 1 FROM \"user\" d WHERE d.z_pk = t.user_trophies)",
          "SELECT t.z_pk FROM \"group\" t WHERE t.user_trophies > 0 AND (t.user_trophies_order IS "
            + "NULL OR (t.user_trophies, t.user_trophies_order) IN (SELECT o.user_trophies, o.user_trophies_order "
            + "FROM \"group\" o GROUP BY o.user_trophies, o.user_trophies_order HAVING COUNT(*) > 1)) ORDER BY 1",
          "UPDATE \"group\" SET user_trophies_order = p.place FROM (SELECT z_pk AS id, 2048 + 1024 * "
            + "(ROW_NUMBER() OVER (PARTITION BY user_trophies ORDER BY user_trophies_order IS NULL, "
            + "user_trophies_order, z_pk) - 1) AS place FROM \"group\" WHERE user_trophies IN (SELECT "
            + "t.user_trophies FROM \"group\" t WHERE t.user_trophies > 0 AND (t.user_trophies_order IS "
            + "NULL OR (t.user_trophies, t.user_trophies_order) IN (SELECT o.user_trophies, o.user_trophies_order "
            + "FROM \"group\" o GROUP BY o.user_trophies, o.user_trophies_order HAVING COUNT(*) > 1)))) p WHERE "
            + "\"group\".z_pk = p.id",
          "SELECT t.ctid FROM group_members t WHERE t.user_groups IS NULL OR NOT EXISTS (SELECT 1 "
            + "FROM \"group\" d WHERE d.z_pk = t.user_groups) ORDER BY 1",
          "DELETE FROM group_members WHERE ctid IN (SELECT t.ctid FROM group_members t WHERE "
            + "t.user_groups IS NULL OR NOT EXISTS (SELECT 1 FROM \"group\" d WHERE d.z_pk = "
            + "t.user_groups))",
          "SELECT t.ctid FROM group_members t WHERE t.group_members IS NULL OR NOT EXISTS (SELECT 1 "
            + "FROM \"user\" d WHERE d.z_pk = t.group_members) ORDER BY 1",
          "DELETE FROM group_members WHERE ctid IN (SELECT t.ctid FROM group_members t WHERE "
            + "t.group_members IS NULL OR NOT EXISTS (SELECT 1 FROM \"user\" d WHERE d.z_pk = "
            + "t.group_members))",
          "SELECT t.ctid FROM user_friends t WHERE t.reflexive IS NULL OR NOT EXISTS (SELECT 1 FROM "
            + "\"user\" d WHERE d.z_pk = t.reflexive) ORDER BY 1",
          "DELETE FROM user_friends WHERE ctid IN (SELECT t.ctid FROM user_friends t WHERE "
            + "t.reflexive IS NULL OR NOT EXISTS (SELECT 1 FROM \"user\" d WHERE d.z_pk = t.reflexive))",
          "SELECT t.ctid FROM user_friends t WHERE t.user_friends IS NULL OR NOT EXISTS (SELECT 1 "
            + "FROM \"user\" d WHERE d.z_pk = t.user_friends) ORDER BY 1",
          "DELETE FROM user_friends WHERE ctid IN (SELECT t.ctid FROM user_friends t WHERE "
            + "t.user_friends IS NULL OR NOT EXISTS (SELECT 1 FROM \"user\" d WHERE d.z_pk = "
            + "t.user_friends))",
          "SELECT t.ctid FROM user_friends t WHERE NOT EXISTS (SELECT 1 FROM user_friends o WHERE "
            + "o.reflexive = t.user_friends AND o.user_friends = t.reflexive) ORDER BY 1",
          "INSERT INTO user_friends (reflexive, user_friends) SELECT t.user_friends, t.reflexive "
            + "FROM user_friends t WHERE NOT EXISTS (SELECT 1 FROM user_friends o WHERE o.reflexive = "
            + "t.user_friends AND o.user_friends = t.reflexive) ON CONFLICT DO NOTHING",
          "SELECT t.z_pk FROM \"user\" t WHERE t.z_ent IN (2, 3) AND (t.\"order\") IN (SELECT "
            + "\"order\" FROM \"user\" WHERE z_ent IN (2, 3) GROUP BY \"order\" HAVING COUNT(*) > 1) "
            + "ORDER BY 1",
        ]
      )
      #expect(problems.first?.problem == "have a z_ent that is none of 1")
      #expect(problems.first?.remedy == "set it to the entity's number in perennial_keys, or delete the rows")
    }
  }
#endif
