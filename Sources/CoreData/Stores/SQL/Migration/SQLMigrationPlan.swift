import Foundation

/// A lightweight migration as statements, to be run in one transaction.
package struct SQLMigrationPlan {
  package enum Step {
    case run(SQLStatement)
    /// A query for rows that violate a requirement of the new model. The migration fails if there are any.
    case require(SQLStatement, SQLMigrationRequirement)
  }

  /// An index that a statement of its own builds.
  package struct Index {
    package let name: String
    package let table: String
    /// What stands between its parentheses.
    package let elements: String
    package var isUnique = false

    package init(name: String, table: String, elements: String, isUnique: Bool = false) {
      self.name = name
      self.table = table
      self.elements = elements
      self.isUnique = isUnique
    }

    /// The statement that builds it, in a transaction.
    package func creation(_ dialect: any SQLDialect) -> String {
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(dialect.identifier(name)) "
        + "ON \(dialect.identifier(table)) (\(elements))"
    }
  }

  package var steps: [Step] = []
  /// The indexes that only make queries faster. They are built after the steps where the dialect builds them
  /// separately.
  package var indexes: [Index] = []
  /// Queries of the values of columns that go away and may name files, to be asked before the steps.
  var lostFiles: [SQLStatement] = []
  /// Derived texts that memory computes after the steps, because the database cannot.
  package var texts: [SQLTextDerivation] = []
  /// True when unused tables or columns are left.
  var isDeferred = false

  mutating func run(_ sql: String, bindings: [SQLValue] = []) {
    steps.append(.run(SQLStatement(sql: sql, bindings: bindings)))
  }
}

/// A property that no row may lack.
package struct SQLMigrationRequirement {
  package let entity: String
  package let property: String
  let isRelationship: Bool

  /// The words of Apple's framework.
  var reason: String {
    isRelationship
      ? "Validation error missing relationship on mandatory destination relationship"
      : "Validation error missing attribute values on mandatory destination attribute"
  }

  /// The error of a row that lacks it.
  package func failure(key: Int64, store: URL) -> any Error {
    let remedy =
      isRelationship
      ? "Give the objects one with the old model first"
      : "Give the attribute a default value in the new model"
    return StoreFailure.error(
      NSMigrationError,
      message: """
        \(store.storeName): the store cannot be migrated: the new model requires a value of \(entity).\(property), which \
        the object \(entity)/p\(key) lacks. \(remedy), or migrate in stages.
        """,
      file: store,
      details: [
        "entity": entity, isRelationship ? "relationship" : "attribute": property, "reason": reason,
      ]
    )
  }
}

/// The parts of a database that a migration has to know, in addition to the tables' columns.
package struct SQLMigrationSource {
  /// An index or a trigger.
  package struct Part {
    package let name: String
    package let table: String
    let sql: String

    package init(name: String, table: String, sql: String) {
      self.name = name
      self.table = table
      self.sql = sql
    }
  }

  package var indexes: [Part] = []
  /// The triggers that keep derived attributes.
  var derivationTriggers: [Part] = []
  /// The tables with constraints in their definition, in upper case. Frameworks from before 2018 created
  /// them so, and newer ones create indexes instead.
  package var constrainedTables: Set<String> = []
  /// The last key that was given out under each entity, by the entity's number.
  package var lastKeys: [Int64: Int64] = [:]

  package init() {}
}
