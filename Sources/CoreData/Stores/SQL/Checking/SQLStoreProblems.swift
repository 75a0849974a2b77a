/// Writes the queries for faulty rows of a store.
package struct SQLStoreProblems {
  let schema: SQLSchema
  let dialect: any SQLDialect

  package init(schema: SQLSchema, dialect: any SQLDialect) {
    self.schema = schema
    self.dialect = dialect
  }

  package func all() -> [SQLProblem] {
    var problems: [SQLProblem] = []
    for table in schema.tables { problems += rowProblems(table) }
    for entity in schema.entities {
      problems += requiredValues(of: entity)
      problems += toOneProblems(of: entity)
      problems += ownedKeyProblems(of: entity)
      problems += orderProblems(of: entity)
    }
    problems += schema.joinTables.flatMap(joinProblems)
    problems += schema.constraints.map(uniqueness)
    return problems
  }

  func name(_ name: String) -> String { dialect.identifier(name) }

  // MARK: - Rows

  private func rowProblems(_ table: SQLTable) -> [SQLProblem] {
    let known = schema.entities.filter { $0.table === table && !$0.entity.isAbstract }
    // A table whose entities are all abstract has no valid rows, and a list must not be empty.
    let numbers = known.isEmpty ? "0" : known.map { String($0.number) }.joined(separator: ", ")
    let (entity, version) = (table.entityColumn, table.versionColumn)
    let (entityName, versionName) = (name(entity), name(version))
    return [
      SQLProblem(
        kind: .entity,
        table: table.name,
        key: [table.primaryKey],
        condition: "t.\(entityName) IS NULL OR t.\(entityName) NOT IN (\(numbers))",
        problem: "have a \(entity) that is none of \(numbers)",
        remedy: "set it to the entity's number in \(schema.names.entityTable), or delete the rows",
        repair: known.count == 1
          ? [
            """
            UPDATE \(name(table.name)) SET \(entityName) = \(numbers) \
            WHERE \(entityName) IS NULL OR \(entityName) != \(numbers)
            """
          ] : []
      ),
      SQLProblem(
        kind: .version,
        table: table.name,
        key: [table.primaryKey],
        condition: "t.\(versionName) IS NULL",
        problem: "have no version",
        remedy: "set \(version) to 1",
        repair: ["UPDATE \(name(table.name)) SET \(versionName) = 1 WHERE \(versionName) IS NULL"]
      ),
    ]
  }

  private func requiredValues(of entity: SQLEntity) -> [SQLProblem] {
    if entity.entity.isAbstract { return [] }
    return entity.layout.slots.indices.compactMap { number in
      let property = entity.layout.slots[number].property
      guard let slot = entity.slots[number], !property.isOptional,
        !(property is NSDerivedAttributeDescription)
      else { return nil }
      return SQLProblem(
        kind: .requiredValue,
        table: entity.table.name,
        key: [entity.table.primaryKey],
        condition:
          "t.\(name(entity.table.entityColumn)) = \(entity.number) AND t.\(name(slot.column)) IS NULL",
        problem: "have no \(property.name), which \(entity.entity.name ?? "") requires",
        remedy: "give them one, or make \(property.modelPath) optional in a new version of the model"
      )
    }
  }

  private func uniqueness(_ constraint: SQLConstraint) -> SQLProblem {
    let table = name(constraint.table)
    let entity = name(schema.names.entity)
    let columns = constraint.columns.map(name)
    let family = (schema.entities.first { $0.entity === constraint.entity })?.familyNumbers ?? []
    let numbers = family.map(String.init).joined(separator: ", ")
    let list = columns.joined(separator: ", ")
    return SQLProblem(
      kind: .uniqueness,
      table: constraint.table,
      key: [schema.names.primaryKey],
      condition: """
        t.\(entity) IN (\(numbers)) AND (\(columns.map { "t." + $0 }.joined(separator: ", "))) IN \
        (SELECT \(list) FROM \(table) WHERE \(entity) IN (\(numbers)) GROUP BY \(list) HAVING COUNT(*) > 1)
        """,
      problem:
        "have a \(constraint.properties.joined(separator: ", ")) that another \(constraint.entity.name ?? "") has",
      remedy: "change the values, or delete all but one"
    )
  }
}

/// A query for faulty rows of one table.
package struct SQLProblem {
  let kind: StoreFinding.Kind
  package let table: String
  /// The columns of the table's key.
  package let key: [String]
  /// The condition that a wrong row fulfils; the table is `t` in it.
  package let condition: String
  /// The fault of the wrong rows, said of them: "lead by ZCATEGORY to no Category".
  let problem: String
  let remedy: String
  /// Statements that repair all of them; empty where the repair needs a decision.
  var repair: [String] = []

  /// The query for the keys of the faulty rows, or for their row identifiers if the key has several columns.
  func query(_ dialect: any SQLDialect) -> String {
    "SELECT t.\(dialect.rowIdentifier(ofKey: key)) FROM \(dialect.identifier(table)) t WHERE \(condition) ORDER BY 1"
  }

  /// The number of keys that a finding names.
  package static let shownKeys = 10

  /// The finding of some wrong rows, in words.
  ///
  /// - Parameters:
  ///   - first: the keys of the first of them.
  ///   - number: the number of all.
  package func finding(_ first: [String], of number: Int) -> StoreFinding {
    let shown = first.prefix(Self.shownKeys).joined(separator: ", ")
    let keys = number > Self.shownKeys ? "\(shown) and more" : shown
    let count = number == 1 ? "1 row" : "\(number) rows"
    return StoreFinding(
      kind: kind,
      problem: "\(table): \(count) \(problem) (\(keys))",
      remedy: remedy,
      repair: repair.isEmpty ? nil : .statements(repair)
    )
  }
}
