#if PostgreSQL
  /// Names in the way of people who write SQL by hand, but for the three columns of every table.
  struct PostgreSQLNames: SQLNames {
    let primaryKey = "z_pk"
    let entity = "z_ent"
    let version = "z_opt"
    let entityTable = "perennial_keys"

    func table(_ entity: String) -> String { Self.snake(entity) }

    func column(_ property: String) -> String { Self.snake(property) }

    func entityColumn(of foreignKey: String, destination: Int64) -> String { "\(foreignKey)_entity" }

    func orderColumn(of foreignKey: String) -> String { "\(foreignKey)_order" }

    func foreignKey(of relationship: SQLRelationshipName) -> String { Self.name(relationship) }

    func join(_ first: SQLRelationshipName, _ second: SQLRelationshipName?) -> SQLJoinNames {
      SQLJoinNames(
        tables: [Self.name(first)],
        first: [second.map(Self.name) ?? "reflexive"],
        second: [Self.name(first)]
      )
    }

    func orderColumns(ofJoined column: String, of relationship: SQLRelationshipName) -> [String] {
      ["\(column)_order"]
    }

    func index(table: String, column: String) -> String { "\(table)_\(column)_index" }

    func fetchIndex(entity: String, name: String) -> String { "\(Self.snake(entity))_\(Self.snake(name))" }

    func compoundIndex(table: String, columns: [String]) -> String {
      "\(table)_\(columns.joined(separator: "_"))"
    }

    func uniqueIndex(entity: String, properties: [String]) -> String {
      "\(Self.snake(entity))_unique_\(properties.map(Self.snake).joined(separator: "_"))"
    }

    private static func name(_ relationship: SQLRelationshipName) -> String {
      "\(snake(relationship.entity))_\(snake(relationship.relationship))"
    }

    /// `created_at` of `createdAt`.
    static func snake(_ name: String) -> String {
      var result = ""
      var wasLower = false
      for character in name {
        if character.isUppercase, wasLower { result += "_" }
        result += character.lowercased()
        wasLower = character.isLowercase || character.isNumber
      }
      return result
    }
  }
#endif
