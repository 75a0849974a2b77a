extension SQLMigrationPlanner {
  /// Gives objects the values of attributes that are derived now and were not, or in another way:
  /// triggers begin with the next change.
  mutating func fillDerivedAttributes() {
    for table in tables {
      for move in table.moves {
        let entity = move.entity
        for (index, slot) in entity.slots.enumerated() {
          guard let slot,
            let attribute = entity.layout.slots[index].attribute as? NSDerivedAttributeDescription,
            !isDerivedAsBefore(attribute, of: entity)
          else { continue }
          if !dialect.folds, let text = text(of: attribute, entity: entity, target: slot.column) {
            plan.texts.append(text)
            continue
          }
          guard let value = value(of: attribute, entity: entity) else { continue }
          plan.run(
            """
            UPDATE \(name(table.table.name)) SET \(name(slot.column)) = \(value) WHERE \(map.entityColumn) = \(entity.number)
            """
          )
        }
      }
    }
  }

  private func isDerivedAsBefore(_ attribute: NSDerivedAttributeDescription, of entity: SQLEntity) -> Bool {
    guard let former = map.formerPlace(of: attribute.name, in: entity), case .slot(let slot) = former.place,
      let before = former.entity.layout.slots[slot].attribute as? NSDerivedAttributeDescription
    else { return false }
    return before.derivationExpression == attribute.derivationExpression
  }

  /// A function of a text, which memory computes.
  private func text(
    of attribute: NSDerivedAttributeDescription,
    entity: SQLEntity,
    target: String
  ) -> SQLTextDerivation? {
    guard case .text(let function, let source) = SQLDerivation(attribute),
      let source = column(source, entity: entity)
    else { return nil }
    return SQLTextDerivation(
      function: function,
      table: entity.table,
      entities: [entity.number],
      source: source,
      target: target
    )
  }

  /// An expression for one row of the entity's table; `nil` for a derivation that triggers refuse as well.
  private func value(of attribute: NSDerivedAttributeDescription, entity: SQLEntity) -> String? {
    let row = "\(name(entity.table.name))."
    switch SQLDerivation(attribute) {
    case .now: return dialect.now
    case .copy(let source): return column(source, entity: entity).map { row + name($0) }
    case .text(let function, let source):
      return column(source, entity: entity).map { "\(dialect.textFunction(function))(\(row)\(name($0)))" }
    case .destination(let relationship, let source):
      guard let key = column(relationship, entity: entity), let destination = destination(of: relationship),
        let source = column(source, entity: destination)
      else { return nil }
      return
        "(SELECT other.\(name(source)) FROM \(name(destination.table.name)) AS other WHERE other.\(map.primaryKey) = \(row)\(name(key)))"
    case .count(let relationship): return aggregate("COUNT(*)", relationship: relationship, entity: entity)
    case .sum(let relationship, let source):
      guard let destination = destination(of: relationship), let source = column(source, entity: destination)
      else { return nil }
      func sum(_ row: String) -> String { "\(dialect.nullReplacement)(SUM(\(row).\(name(source))), 0)" }
      if let join = join(relationship, second: entity) {
        return """
          (SELECT \(sum("found")) FROM \(name(join.table.name)) AS other \
          JOIN \(name(destination.table.name)) AS found ON found.\(map.primaryKey) = other.\(name(join.target)) \
          WHERE other.\(name(join.source)) = \(row)\(map.primaryKey))
          """
      }
      return aggregate(sum("other"), relationship: relationship, entity: entity)
    case nil: return nil
    }
  }

  private func aggregate(_ function: String, relationship: NSRelationshipDescription, entity: SQLEntity) -> String? {
    guard case .toMany(let index) = entity.layout.places[relationship.name] else { return nil }
    let (table, key): (String, String)
    switch entity.toMany[index] {
    case .foreignKey(let foreignKey): (table, key) = (foreignKey.table.name, foreignKey.column)
    case .join(let join): (table, key) = (join.table.name, join.source)
    case .transient: return nil
    }
    return
      "(SELECT \(function) FROM \(name(table)) AS other WHERE other.\(name(key)) = \(name(entity.table.name)).\(map.primaryKey))"
  }

  private func join(_ relationship: NSRelationshipDescription, second entity: SQLEntity) -> SQLJoin? {
    guard case .toMany(let index) = entity.layout.places[relationship.name],
      case .join(let join) = entity.toMany[index]
    else { return nil }
    return join
  }

  private func column(_ property: NSPropertyDescription, entity: SQLEntity) -> String? {
    guard case .slot(let index) = entity.layout.places[property.name] else { return nil }
    return entity.slots[index]?.column
  }

  private func destination(of relationship: NSRelationshipDescription) -> SQLEntity? {
    relationship.frozenDestination.flatMap { try? map.new.entity($0) }
  }
}
