extension SQLSchemaBuilder {
  /// Determines where to-many relationships with an inverse are stored, and creates the join tables.
  mutating func addToManyRelationships() throws {
    var seen: Set<ObjectIdentifier> = []
    var joins: [SQLJoinEnds] = []
    for entity in descriptions {
      for relationship in sortedByName(entity.ownProperties.compactMap { $0 as? NSRelationshipDescription })
      where relationship.isToMany && !relationship.isTransient
        && toMany[ObjectIdentifier(relationship)] == nil
      {
        guard let inverse = relationship.inverseRelationship else { continue }
        if !inverse.isToMany {
          try addForeignKey(of: relationship, inverse: inverse)
        } else if !seen.contains(ObjectIdentifier(relationship)) {
          seen.formUnion([ObjectIdentifier(relationship), ObjectIdentifier(inverse)])
          joins.append(try ends(relationship, inverse: inverse))
        }
      }
    }
    for (ends, table) in try catalog.map({ try existingJoins(joins, in: $0) }) ?? newJoins(joins) {
      joinTables.append(table)
      try setJoin(ends.first.relationship, table: table, from: table.first, to: table.second)
      if !ends.isOwnInverse {
        try setJoin(ends.second.relationship, table: table, from: table.second, to: table.first)
      }
    }
  }

  private mutating func addForeignKey(
    of relationship: NSRelationshipDescription,
    inverse: NSRelationshipDescription
  ) throws {
    let destination = try destination(of: relationship)
    guard let slot = slots[ObjectIdentifier(inverse)], let table = table(of: inverse.entity) else { return }
    let order = names.orderColumn(of: slot.column)
    let existing = catalog?.table(table.name)?.column(order)
    toMany[ObjectIdentifier(relationship)] = .foreignKey(
      SQLForeignKey(
        table: table,
        column: slot.column,
        orderColumn: relationship.isOrdered ? existing ?? order : nil,
        isOwned: false,
        destination: Int32(destination.number)
      )
    )
  }

  /// The table belongs to the entity with the lower number; inside one entity, to the later relationship.
  private func ends(
    _ relationship: NSRelationshipDescription,
    inverse: NSRelationshipDescription
  ) throws -> SQLJoinEnds {
    let ends = SQLJoinEnds(first: try SQLJoinEnd(relationship, in: self), second: try SQLJoinEnd(inverse, in: self))
    let isSwapped =
      (ends.first.number, ends.second.relationship.name)
      > (ends.second.number, ends.first.relationship.name)
    return isSwapped ? ends.reversed : ends
  }

  private mutating func setJoin(
    _ relationship: NSRelationshipDescription,
    table: SQLJoinTable,
    from source: SQLJoinColumn,
    to target: SQLJoinColumn
  ) throws {
    let destination = try destination(of: relationship)
    guard let destinationTable = self.table(of: destination) else { return }
    toMany[ObjectIdentifier(relationship)] = .join(
      SQLJoin(
        table: table,
        source: source.name,
        target: target.name,
        orderColumn: target.order,
        destinationTable: destinationTable,
        isOwnInverse: relationship.inverseRelationship === relationship,
        destination: Int32(destination.number)
      )
    )
  }
}

/// The two relationships that share a join table. The table's first column holds keys of the
/// objects that the first relationship leads from.
struct SQLJoinEnds {
  let first: SQLJoinEnd
  let second: SQLJoinEnd

  var isOwnInverse: Bool { first.relationship === second.relationship }

  /// True when one entity has both relationships, so that its number does not determine their order.
  var isReflexive: Bool { !isOwnInverse && first.number == second.number }

  var reversed: SQLJoinEnds { SQLJoinEnds(first: second, second: first) }
}

/// One of the two relationships that share a join table.
struct SQLJoinEnd {
  let relationship: NSRelationshipDescription
  /// The number of the entity that declares it.
  let number: Int64
  /// The table of that entity.
  let table: SQLTable

  init(_ relationship: NSRelationshipDescription, in builder: SQLSchemaBuilder) throws {
    _ = try builder.destination(of: relationship)
    guard let table = builder.table(of: relationship.entity) else {
      throw builder.missing("the table of \(relationship.modelPath)")
    }
    self.table = table
    self.relationship = relationship
    number =
      builder.names.keepsEntityNumbers
      ? Int64(relationship.entity.number) : builder.number(relationship.entity)
  }
}
