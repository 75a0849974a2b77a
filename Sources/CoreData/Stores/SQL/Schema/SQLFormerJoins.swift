import ModelFormats

/// The join tables of an older schema, whose names a migrated store keeps.
///
/// Apple's framework names some of them in ways that the model does not tell, and looks for these names.
package struct SQLFormerJoins {
  private let schema: SQLSchema
  private let correspondence: ModelCorrespondence
  /// The older entities by their names.
  private let entities: [String: SQLEntity]

  /// - Parameters:
  ///   - schema: the older schema, as its database has it.
  ///   - correspondence: the entities and properties of the newer model with their old ones.
  init(schema: SQLSchema, correspondence: ModelCorrespondence) {
    self.schema = schema
    self.correspondence = correspondence
    entities = Dictionary(schema.entities.map { ($0.entity.name ?? "", $0) }) { first, _ in first }
  }

  /// The older join table of two inverse relationships of the newer model; `nil` where they had no table,
  /// or different ones.
  func join(
    of relationship: NSRelationshipDescription,
    inverse: NSRelationshipDescription
  ) -> SQLFormerJoin? {
    let (one, other) = (former(of: relationship), former(of: inverse))
    guard let known = one ?? other, let knownInverse = known.frozenInverse,
      (known === knownInverse) == (relationship === inverse),
      one == nil || other == nil || other === knownInverse, let join = join(of: known)
    else { return nil }
    let isFirst = join.source == join.table.first.name
    let ends = isFirst ? (known, knownInverse) : (knownInverse, known)
    guard let first = name(of: ends.0), let second = name(of: ends.1) else { return nil }
    return SQLFormerJoin(
      table: join.table,
      first: first,
      second: second,
      isOwnInverse: known === knownInverse,
      successor: (one != nil) == isFirst ? relationship : inverse
    )
  }

  /// The older relationship that became a relationship, where it is the only one.
  private func former(of relationship: NSRelationshipDescription) -> NSRelationshipDescription? {
    var found: NSRelationshipDescription?
    for description in relationship.entity.selfAndAllSubentities {
      guard let name = description.name, let entity = correspondence.entities[name].flatMap({ entities[$0] }),
        let property = correspondence.properties(of: name)[relationship.name],
        let place = entity.layout.places[property], let former = entity.relationship(at: place)
      else { continue }
      if let found, found !== former { return nil }
      found = former
    }
    return found
  }

  private func join(of relationship: NSRelationshipDescription) -> SQLJoin? {
    guard let entity = entities[relationship.entity.name ?? ""],
      case .toMany(let index) = entity.layout.places[relationship.name],
      case .join(let join) = entity.toMany[index]
    else { return nil }
    return join
  }

  private func name(of relationship: NSRelationshipDescription) -> SQLRelationshipName? {
    entities[relationship.entity.name ?? ""].map { entity in
      SQLRelationshipName(
        entity: entity.entity.name ?? "",
        number: entity.number,
        relationship: relationship.name
      )
    }
  }
}

/// A join table of an older schema.
struct SQLFormerJoin {
  let table: SQLJoinTable
  /// The older relationship that leads from the objects in the table's first column.
  let first: SQLRelationshipName
  let second: SQLRelationshipName
  let isOwnInverse: Bool
  /// The relationship of the newer model that the first one became.
  let successor: NSRelationshipDescription

  var isReflexive: Bool { !isOwnInverse && first.number == second.number }
}

/// The names that a join table keeps. Several naming schemes are possible in a store; the table keeps the
/// scheme, applied to the current names of its entities and relationships.
struct KeptJoinNames {
  /// The newer relationships, in the order of the columns.
  let ends: SQLJoinEnds
  let former: SQLFormerJoin
  var table: NumberedName
  let first: NumberedName
  let second: NumberedName
  /// True when the first of the newer relationships was the second one.
  private let isTurned: Bool

  /// - Parameter joinNames: the names that there may be of two relationships.
  /// - Returns: `nil` where the older names follow no known scheme, or the scheme of another kind of relationship.
  init?(
    ends: SQLJoinEnds,
    former: SQLFormerJoin,
    names: any SQLNames,
    _ joinNames: (SQLJoinEnds) -> SQLJoinNames
  ) {
    guard ends.isOwnInverse == former.isOwnInverse, ends.isReflexive == former.isReflexive else { return nil }
    // Between two entities the lower number is the first, or the higher one is, as it was. Inside
    // one entity the same relationship is the first.
    let isReversed =
      former.isReflexive
      ? ends.first.relationship !== former.successor : former.first.number > former.second.number
    self.ends = isReversed ? ends.reversed : ends
    self.former = former
    isTurned = self.ends.first.relationship !== former.successor
    let before = names.join(former.first, second: former.isOwnInverse ? nil : former.second)
    let after = joinNames(self.ends)
    let firsts = isTurned ? before.second : before.first
    let seconds = isTurned ? before.first : before.second
    let columns = isTurned ? [former.table.second, former.table.first] : [former.table.first, former.table.second]
    guard let table = NumberedName.find(former.table.name, in: before.tables + before.formerTables),
      let first = NumberedName.find(columns[0].name, in: firsts),
      let second = NumberedName.find(columns[1].name, in: seconds)
    else { return nil }
    // A name that only earlier versions of the library gave becomes the first one of now.
    let isFormer = table.index >= before.tables.count
    self.table = NumberedName(base: after.tables[isFormer ? 0 : table.index], number: table.number)
    self.first = NumberedName(base: after.first[first.index], number: first.number)
    self.second = NumberedName(base: after.second[second.index], number: second.number)
    if self.first.text.uppercased() == self.second.text.uppercased() { return nil }
  }

  /// True when the table and its columns are called as before.
  var isUnchanged: Bool {
    zip(
      [table.text, first.text, second.text],
      [former.table.name, formerColumns.first.name, formerColumns.second.name]
    )
    .allSatisfy { $0.uppercased() == $1.uppercased() }
  }

  /// True when the relationships have the same names as before, so that the table's names are kept.
  var hasSameRelationships: Bool {
    [ends.first.relationship.name, ends.second.relationship.name]
      == [formerRelationships.first.relationship, formerRelationships.second.relationship]
  }

  /// The older columns, in the order of the newer ones.
  private var formerColumns: (first: SQLJoinColumn, second: SQLJoinColumn) {
    isTurned ? (former.table.second, former.table.first) : (former.table.first, former.table.second)
  }

  private var formerRelationships: (first: SQLRelationshipName, second: SQLRelationshipName) {
    isTurned ? (former.second, former.first) : (former.first, former.second)
  }

  /// The place of the older name of the column that keeps the order of the first column's keys, or
  /// of the second one's, among the names that there may be; 0 where the keys had no order.
  func orderIndex(ofFirst: Bool, names: any SQLNames) -> Int {
    let column = ofFirst ? formerColumns.first : formerColumns.second
    // The keys of a column are ordered by the relationship that leads to them.
    let relationship = ofFirst ? formerRelationships.second : formerRelationships.first
    let wanted = names.orderColumns(ofJoined: column.name, of: relationship)
    return column.order.flatMap { order in
      wanted.firstIndex { $0.uppercased() == order.uppercased() }
    } ?? 0
  }
}
