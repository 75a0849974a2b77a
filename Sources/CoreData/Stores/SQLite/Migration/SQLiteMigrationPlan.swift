/// A lightweight migration as statements, to be run in one transaction.
struct SQLiteMigrationPlan {
  enum Step {
    case run(SQLStatement)
    /// A query that finds the rows which lack what the new model requires: there must be none.
    case require(SQLStatement, SQLiteMigrationRequirement)
  }

  var steps: [Step] = []
  /// Queries of the values of columns that go away and may name files, to be asked before the steps.
  var lostFiles: [SQLStatement] = []
  /// Whether something is left that nothing uses any more.
  var isDeferred = false

  mutating func run(_ sql: String, _ bindings: [SQLValue] = []) {
    steps.append(.run(SQLStatement(sql: sql, bindings: bindings)))
  }
}

/// What no row may lack.
struct SQLiteMigrationRequirement {
  let entity: String
  let property: String
  let isRelationship: Bool

  /// The words of Apple's framework.
  var reason: String {
    isRelationship
      ? "Validation error missing relationship on mandatory destination relationship"
      : "Validation error missing attribute values on mandatory destination attribute"
  }
}
