extension SQLStoreProblems {
  // MARK: - Foreign keys

  func toOneProblems(of entity: SQLEntity) -> [SQLProblem] {
    // An inherited relationship is looked at in the rows of all entities at once.
    entity.layout.slots.indices.flatMap { number -> [SQLProblem] in
      guard let relationship = entity.layout.slots[number].relationship,
        relationship.entity === entity.entity,
        let slot = entity.slots[number], let destination = schema.entity(modelNumber: slot.destination)
      else { return [] }
      let key = ForeignKey(
        entity: entity,
        column: slot.column,
        entityColumn: slot.entityColumn,
        relationship: relationship,
        destination: destination
      )
      return [dangling(key)] + wrongEntity(key) + oneToOne(key)
    }
  }

  private struct ForeignKey {
    let entity: SQLEntity
    let column: String
    let entityColumn: String?
    let relationship: NSRelationshipDescription
    let destination: SQLEntity
  }

  /// The condition that a row of an entity, named `alias`, is one of it or of its subentities.
  private func isOf(_ entity: SQLEntity, alias: String) -> String {
    guard entity.table.hasSubentities, entity.entity !== entity.table.root else { return "" }
    let numbers = entity.familyNumbers.map(String.init).joined(separator: ", ")
    return " AND \(alias).\(name(entity.table.entityColumn)) IN (\(numbers))"
  }

  private func exists(_ destination: SQLEntity, column: String) -> String {
    "EXISTS (SELECT 1 FROM \(name(destination.table.name)) d "
      + "WHERE d.\(name(destination.table.primaryKey)) = t.\(name(column))\(isOf(destination, alias: "d")))"
  }

  private func dangling(_ key: ForeignKey) -> SQLProblem {
    let (table, column) = (name(key.entity.table.name), name(key.column))
    let condition =
      "t.\(column) > 0\(isOf(key.entity, alias: "t")) AND NOT \(exists(key.destination, column: key.column))"
    let columns = [key.column, key.entityColumn].compactMap(\.self).map { "\(name($0)) = NULL" }
    let isOptional = key.relationship.isOptional
    return SQLProblem(
      kind: .foreignKey,
      table: key.entity.table.name,
      key: [key.entity.table.primaryKey],
      condition: condition,
      problem: "lead by \(key.column) to a \(key.destination.entity.name ?? "") that is not there",
      remedy: isOptional
        ? "empty the relationship" : "delete the rows, since \(key.relationship.modelPath) is required",
      repair: isOptional
        ? ["UPDATE \(table) AS t SET \(columns.joined(separator: ", ")) WHERE \(condition)"] : []
    )
  }

  private func wrongEntity(_ key: ForeignKey) -> [SQLProblem] {
    guard let entityColumn = key.entityColumn else { return [] }
    let (table, column) = (name(key.entity.table.name), name(key.column))
    let destination = key.destination.table
    let actual = """
      (SELECT d.\(name(destination.entityColumn)) FROM \(name(destination.name)) d \
      WHERE d.\(name(destination.primaryKey)) = t.\(column))
      """
    let condition = "t.\(column) > 0 AND t.\(name(entityColumn)) != \(actual)"
    return [
      SQLProblem(
        kind: .foreignKey,
        table: key.entity.table.name,
        key: [key.entity.table.primaryKey],
        condition: condition,
        problem: "name in \(entityColumn) another entity than the row has that \(key.column) leads to",
        remedy: "set \(entityColumn) to the \(destination.entityColumn) of that row",
        repair: ["UPDATE \(table) AS t SET \(name(entityColumn)) = \(actual) WHERE \(condition)"]
      )
    ]
  }

  /// Both sides of a one-to-one relationship have a foreign key, and must refer to each other.
  private func oneToOne(_ key: ForeignKey) -> [SQLProblem] {
    guard let inverse = key.relationship.inverseRelationship, !inverse.isToMany,
      case .slot(let number) = key.destination.layout.places[inverse.name],
      let back = key.destination.slots[number]
    else { return [] }
    let (table, column) = (name(key.entity.table.name), name(key.column))
    let (other, backColumn) = (name(key.destination.table.name), name(back.column))
    let (own, theirs) = (name(key.entity.table.primaryKey), name(key.destination.table.primaryKey))
    let found = "SELECT 1 FROM \(other) d WHERE d.\(theirs) = t.\(column)"
    let isOnly = """
      NOT EXISTS (SELECT 1 FROM \(table) o WHERE o.\(column) = t.\(column) AND o.\(own) != t.\(own)) \
      AND NOT EXISTS (SELECT 1 FROM \(other) o WHERE o.\(backColumn) = t.\(own))
      """
    let assignments =
      ["\(backColumn) = t.\(own)"]
      + [back.entityColumn].compactMap(\.self).map {
        "\(name($0)) = t.\(name(key.entity.table.entityColumn))"
      }
    let canBeSet = "EXISTS (\(found) AND COALESCE(d.\(backColumn), 0) = 0) AND \(isOnly)"
    let what = "lead by \(key.column) to a row whose \(back.column)"
    return [
      SQLProblem(
        kind: .inverse,
        table: key.entity.table.name,
        key: [key.entity.table.primaryKey],
        condition: "t.\(column) > 0 AND \(canBeSet)",
        problem: "\(what) is empty and should lead back",
        remedy: "set \(back.column) of that row",
        repair: [
          """
          UPDATE \(other) AS d SET \(assignments.joined(separator: ", ")) \
          FROM \(table) t WHERE t.\(column) = d.\(theirs) AND COALESCE(d.\(backColumn), 0) = 0 AND \(isOnly)
          """
        ]
      ),
      SQLProblem(
        kind: .inverse,
        table: key.entity.table.name,
        key: [key.entity.table.primaryKey],
        condition: """
          t.\(column) > 0 AND EXISTS (\(found) AND COALESCE(d.\(backColumn), 0) != t.\(own)) AND NOT (\(canBeSet))
          """,
        problem: "\(what) leads to another",
        remedy: "decide which of them belong together, and set both columns"
      ),
    ]
  }

  /// The keys of a to-many relationship without inverse, in its destinations' table.
  func ownedKeyProblems(of entity: SQLEntity) -> [SQLProblem] {
    entity.layout.toMany.indices.compactMap { number in
      let relationship = entity.layout.toMany[number].relationship
      guard relationship.entity === entity.entity, case .foreignKey(let key) = entity.toMany[number],
        key.isOwned
      else { return nil }
      let condition = "t.\(name(key.column)) > 0 AND NOT \(exists(entity, column: key.column))"
      return SQLProblem(
        kind: .foreignKey,
        table: key.table.name,
        key: [key.table.primaryKey],
        condition: condition,
        problem: "belong by \(key.column) to a \(entity.entity.name ?? "") that is not there",
        remedy: "empty \(key.column)",
        repair: [
          "UPDATE \(name(key.table.name)) AS t SET \(name(key.column)) = NULL WHERE \(condition)"
        ]
      )
    }
  }

  // MARK: - Join tables

  func joinProblems(_ table: SQLJoinTable) -> [SQLProblem] {
    let ends = schema.entities.flatMap { entity in
      entity.layout.toMany.indices.compactMap { number -> (SQLJoin, SQLEntity)? in
        guard entity.layout.toMany[number].relationship.entity === entity.entity,
          case .join(let join) = entity.toMany[number], join.table === table
        else { return nil }
        return (join, entity)
      }
    }
    var problems = ends.map { join, entity in dangling(join, column: join.source, entity: entity) }
    if let (join, entity) = ends.first, join.isOwnInverse {
      problems.append(dangling(join, column: join.target, entity: entity))
      problems.append(unmirrored(join))
    }
    return problems
  }

  private func dangling(_ join: SQLJoin, column: String, entity: SQLEntity) -> SQLProblem {
    let condition = "t.\(name(column)) IS NULL OR NOT \(exists(entity, column: column))"
    let (table, row) = (name(join.table.name), dialect.rowIdentifier(ofKey: join.table.key))
    return SQLProblem(
      kind: .joinTable,
      table: join.table.name,
      key: join.table.key,
      condition: condition,
      problem: "lead by \(column) to a \(entity.entity.name ?? "") that is not there",
      remedy: "remove the rows",
      repair: [
        "DELETE FROM \(table) WHERE \(row) IN (SELECT t.\(row) FROM \(table) t WHERE \(condition))"
      ]
    )
  }

  /// A relationship that is its own inverse has a row for each direction.
  private func unmirrored(_ join: SQLJoin) -> SQLProblem {
    let (table, source, target) = (name(join.table.name), name(join.source), name(join.target))
    let condition = """
      NOT EXISTS (SELECT 1 FROM \(table) o WHERE o.\(source) = t.\(target) AND o.\(target) = t.\(source))
      """
    return SQLProblem(
      kind: .inverse,
      table: join.table.name,
      key: join.table.key,
      condition: condition,
      problem: "have no counterpart for the other direction",
      remedy: "add it",
      repair: [
        dialect.insertionOfMissing(
          into: join.table.name,
          columns: [join.source, join.target],
          rows: "SELECT t.\(target), t.\(source) FROM \(table) t WHERE \(condition)"
        )
      ]
    )
  }

  // MARK: - Order

  /// The rows of an ordered relationship that have no place in it, or the place of another.
  func orderProblems(of entity: SQLEntity) -> [SQLProblem] {
    entity.layout.toMany.indices.compactMap { number in
      guard entity.layout.toMany[number].relationship.entity === entity.entity else { return nil }
      switch entity.toMany[number] {
      case .foreignKey(let key):
        return key.orderColumn.map {
          orderProblem(key.table.name, key: [key.table.primaryKey], source: key.column, order: $0)
        }
      case .join(let join):
        return join.orderColumn.map {
          orderProblem(join.table.name, key: join.table.key, source: join.source, order: $0)
        }
      case .transient: return nil
      }
    }
  }

  private func orderProblem(
    _ table: String,
    key: [String],
    source: String,
    order: String
  ) -> SQLProblem {
    let row = dialect.rowIdentifier(ofKey: key)
    let (quoted, source, order) = (name(table), name(source), name(order))
    // A subquery per row that looks for another row would take time with the square of a relationship's size.
    let condition = """
      t.\(source) > 0 AND (t.\(order) IS NULL OR (t.\(source), t.\(order)) IN (SELECT o.\(source), o.\(order) \
      FROM \(quoted) o GROUP BY o.\(source), o.\(order) HAVING COUNT(*) > 1))
      """
    let places = """
      SELECT \(row) AS id, \(SQLOrderKeys.first) + \(SQLOrderKeys.step) * (ROW_NUMBER() OVER \
      (PARTITION BY \(source) ORDER BY \(order) IS NULL, \(order), \(row)) - 1) AS place \
      FROM \(quoted) WHERE \(source) IN (SELECT t.\(source) FROM \(quoted) t WHERE \(condition))
      """
    return SQLProblem(
      kind: .order,
      table: table,
      key: key,
      condition: condition,
      problem: "have no place of their own in \(order)",
      remedy: "number the rows of the relationship anew",
      repair: ["UPDATE \(quoted) SET \(order) = p.place FROM (\(places)) p WHERE \(quoted).\(row) = p.id"]
    )
  }
}
