extension SQLSchemaBuilder {
  /// Finds where to-many relationships with an inverse are kept, and makes the join tables.
  mutating func addToManyRelationships() throws {
    var reserved = JoinNames(tables: reservedTables)
    for entity in descriptions {
      for relationship in sortedByName(entity.ownProperties.compactMap { $0 as? NSRelationshipDescription })
      where relationship.isToMany && !relationship.isTransient
        && toMany[ObjectIdentifier(relationship)] == nil
      {
        guard let inverse = relationship.inverseRelationship else { continue }
        if inverse.isToMany {
          try addJoin(relationship, inverse, &reserved)
        } else {
          try addForeignKey(of: relationship, inverse: inverse)
        }
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

  private mutating func addJoin(
    _ relationship: NSRelationshipDescription,
    _ inverse: NSRelationshipDescription,
    _ reserved: inout JoinNames
  ) throws {
    // The table belongs to the entity with the lower number; inside one entity, to the later
    // relationship.
    let ends = (try JoinEnd(relationship, in: self), try JoinEnd(inverse, in: self))
    let isSwapped = (ends.0.number, ends.1.name) > (ends.1.number, ends.0.name)
    let (low, high) = isSwapped ? (ends.1, ends.0) : ends
    let table = try catalog.map { try existingJoin(low, high, in: $0) } ?? newJoin(low, high, &reserved)
    joinTables.append(table)
    try setJoin(low.relationship, table: table, from: table.first, to: table.second)
    if low.relationship !== high.relationship {
      try setJoin(high.relationship, table: table, from: table.second, to: table.first)
    }
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

  private func joinNames(_ low: JoinEnd, _ high: JoinEnd) -> SQLJoinNames {
    let isOwnInverse = low.relationship === high.relationship
    return names.join(
      relationshipName(low.relationship),
      isOwnInverse ? nil : relationshipName(high.relationship)
    )
  }

  private func newJoin(_ low: JoinEnd, _ high: JoinEnd, _ reserved: inout JoinNames) -> SQLJoinTable {
    let wanted = joinNames(low, high)
    let isOwnInverse = low.relationship === high.relationship
    let second = reserved.reserveColumn(wanted.second[0])
    let first = isOwnInverse ? wanted.first[0] : reserved.reserveColumn(wanted.first[0])
    return SQLJoinTable(
      name: reserved.reserveTable(wanted.tables[0]),
      owner: low.table,
      first: SQLJoinColumn(
        name: first,
        order: high.relationship.isOrdered && !isOwnInverse ? orderColumns(of: first, high)[0] : nil
      ),
      second: SQLJoinColumn(
        name: second,
        order: low.relationship.isOrdered ? orderColumns(of: second, low)[0] : nil
      ),
      names: names
    )
  }

  private func orderColumns(of column: String, _ end: JoinEnd) -> [String] {
    names.orderColumns(ofJoined: column, of: relationshipName(end.relationship))
  }

  /// A store may have other names than a new one gets, and numbers at the end tell equal names
  /// apart.
  private func existingJoin(_ low: JoinEnd, _ high: JoinEnd, in catalog: SQLCatalog) throws -> SQLJoinTable {
    let wanted = joinNames(low, high)
    for name in wanted.tables.flatMap(Self.numbered) {
      guard let table = catalog.table(name), !joinTables.contains(where: { $0.name == table.name }),
        !reservedTables.contains(table.name.uppercased()),
        let first = wanted.first.flatMap(Self.numbered).lazy.compactMap({ table.column($0) }).first,
        let second = wanted.second.flatMap(Self.numbered).lazy.compactMap({ table.column($0) }).first(
          where: { $0 != first })
      else { continue }
      return SQLJoinTable(
        name: table.name,
        owner: low.table,
        first: try existingColumn(
          first,
          ordered: high,
          isReflexive: low.relationship === high.relationship,
          in: table
        ),
        second: try existingColumn(second, ordered: low, isReflexive: false, in: table),
        names: names
      )
    }
    throw missing("the table \(wanted.tables[0]) of \(low.relationship.modelPath)")
  }

  private func existingColumn(
    _ name: String,
    ordered end: JoinEnd,
    isReflexive: Bool,
    in table: SQLCatalogTable
  ) throws -> SQLJoinColumn {
    guard end.relationship.isOrdered, !isReflexive else { return SQLJoinColumn(name: name, order: nil) }
    let wanted = orderColumns(of: name, end)
    guard let order = wanted.lazy.compactMap({ table.column($0) }).first else {
      throw missing("the column \(wanted[0]) of \(end.relationship.modelPath) in the table \(table.name)")
    }
    return SQLJoinColumn(name: name, order: order)
  }

  private static func numbered(_ name: String) -> [String] { [name] + (1...9).map { "\(name)\($0)" } }
}

/// One of the two relationships that share a join table.
private struct JoinEnd {
  let relationship: NSRelationshipDescription
  /// The number of the entity that declares it.
  let number: Int64
  /// The table of that entity.
  let table: SQLTable
  var name: String { relationship.name }

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

/// The names that join tables and their columns have taken: Apple's framework numbers the second of
/// two columns that hold keys of the same entity under the same name, although they lie in
/// different tables.
private struct JoinNames {
  private var tables: Set<String> = []
  private var columns: Set<String> = []
  /// Names that other tables have, in upper case.
  private let others: Set<String>

  init(tables: Set<String>) { others = tables }

  mutating func reserveTable(_ name: String) -> String {
    while true {
      let found = Self.reserve(name, &tables)
      if !others.contains(found.uppercased()) { return found }
    }
  }
  mutating func reserveColumn(_ name: String) -> String { Self.reserve(name, &columns) }

  private static func reserve(_ name: String, _ reserved: inout Set<String>) -> String {
    var candidate = name
    var suffix = 0
    while !reserved.insert(candidate).inserted {
      suffix += 1
      candidate = "\(name)\(suffix)"
    }
    return candidate
  }
}
