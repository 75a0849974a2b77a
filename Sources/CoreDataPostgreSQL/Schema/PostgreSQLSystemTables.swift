#if PostgreSQL
  import CoreData

  /// The tables that every store in PostgreSQL has in addition to those of its entities.
  enum PostgreSQLSystemTables {
    static let metadata = "perennial_metadata"
    static let keys = "perennial_keys"
    static let model = "perennial_model"

    /// `perennial_metadata` has one row: the identity, the property list, and a number that each migration increments.
    /// `perennial_keys` has a row for each entity: its number, its name, its superentity's name, and the last key that
    /// was assigned for a root. `perennial_model` contains the compressed archive of the model.
    static let creationStatements = [
      """
      CREATE TABLE perennial_metadata (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), \
      uuid text NOT NULL, properties bytea NOT NULL, model_number bigint NOT NULL DEFAULT 1)
      """,
      """
      CREATE TABLE perennial_keys (z_ent bigint PRIMARY KEY, name text NOT NULL UNIQUE, super bigint NOT NULL, \
      last bigint NOT NULL DEFAULT 0)
      """,
      "CREATE TABLE perennial_model (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), archive bytea)",
      PostgreSQLOutcomes.creationStatement,
    ]

    /// The row of an entity.
    ///
    /// - Parameter lastKey: the last key that was given out for a root.
    static func keyRow(_ entity: SQLEntity, in schema: SQLSchema, lastKey: Int64 = 0) -> SQLStatement {
      let parent = entity.entity.superentity.flatMap { schema.entity(modelNumber: Int32($0.number)) }
      return SQLStatement(
        sql: "INSERT INTO perennial_keys (z_ent, name, super, last) VALUES ($1, $2, $3, $4)",
        bindings: [
          .integer(entity.number), .text(entity.entity.name ?? ""), .integer(parent?.number ?? 0),
          .integer(lastKey),
        ]
      )
    }
  }
#endif
