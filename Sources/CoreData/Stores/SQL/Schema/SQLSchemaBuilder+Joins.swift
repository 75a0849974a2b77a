/// Names of join tables and their columns.
extension SQLSchemaBuilder {
  typealias Join = (ends: SQLJoinEnds, table: SQLJoinTable)

  func joinNames(_ ends: SQLJoinEnds) -> SQLJoinNames {
    names.join(
      relationshipName(ends.first.relationship),
      second: ends.isOwnInverse ? nil : relationshipName(ends.second.relationship)
    )
  }

  private func orderColumns(of column: String, end: SQLJoinEnd) -> [String] {
    names.orderColumns(ofJoined: column, of: relationshipName(end.relationship))
  }

  // MARK: - In a new schema

  /// Names the tables of a new schema. Tables of an older schema keep their names, so the builder assigns these first.
  func newJoins(_ all: [SQLJoinEnds]) -> [Join] {
    var reserved = ReservedJoinNames(tables: reservedTables, names: names)
    let contested = contestedNames(all)
    let kept = all.map(keptNames)
    for known in kept.compactMap(\.self) where known.isUnchanged { reserved.keep(known) }
    var joins = kept.map { known -> Join? in
      guard var known else { return nil }
      if !known.isUnchanged {
        known.table = reserved.reserveTable(known.table, second: known.second.text)
        reserved.keep(known)
      }
      return (ends: known.ends, table: keptTable(known, contested: contested))
    }
    for index in all.indices where joins[index] == nil {
      joins[index] = (ends: all[index], table: newTable(all[index], reserved: &reserved, contested: contested))
    }
    return joins.compactMap(\.self)
  }

  private func newTable(
    _ ends: SQLJoinEnds,
    reserved: inout ReservedJoinNames,
    contested: Set<String>
  ) -> SQLJoinTable {
    let wanted = joinNames(ends)
    let second = reserved.reserveColumn(NumberedName(base: wanted.second[0])).text
    let first =
      ends.isOwnInverse
      ? wanted.first[0] : reserved.reserveColumn(NumberedName(base: wanted.first[0])).text
    return SQLJoinTable(
      name: reserved.reserveTable(NumberedName(base: wanted.tables[0]), second: second).text,
      owner: ends.first.table,
      first: SQLJoinColumn(
        name: first,
        order: ends.second.relationship.isOrdered && !ends.isOwnInverse
          ? orderColumns(of: first, end: ends.second)[0] : nil
      ),
      second: SQLJoinColumn(
        name: second,
        order: ends.first.relationship.isOrdered ? orderColumns(of: second, end: ends.first)[0] : nil
      ),
      names: names,
      isGuessed: isGuessed(ends, contested: contested)
    )
  }

  /// True when the model does not determine which names Apple's framework would choose. It names the table of a
  /// relationship inside one entity after either side, and numbers contested names in an order that the model
  /// does not show.
  private func isGuessed(_ ends: SQLJoinEnds, contested: Set<String>) -> Bool {
    ends.isReflexive || wantedNames(ends).contains(where: contested.contains)
  }

  /// The names that several join tables, or their columns, want.
  private func contestedNames(_ all: [SQLJoinEnds]) -> Set<String> {
    let counts = Dictionary(all.flatMap(wantedNames).map { ($0, 1) }, uniquingKeysWith: +)
    return Set(counts.filter { $0.value > 1 }.keys)
  }

  /// The names that a join table and its columns would have without competitors. Names of tables and of columns
  /// are distinct.
  private func wantedNames(_ ends: SQLJoinEnds) -> [String] {
    let wanted = joinNames(ends)
    return ["table \(wanted.tables[0])", wanted.second[0]] + (ends.isOwnInverse ? [] : [wanted.first[0]])
  }

  // MARK: - As an older schema has them

  private func keptNames(_ ends: SQLJoinEnds) -> KeptJoinNames? {
    guard let former = formerJoins?.join(of: ends.first.relationship, inverse: ends.second.relationship)
    else { return nil }
    return KeptJoinNames(ends: ends, former: former, names: names, joinNames)
  }

  private func keptTable(_ kept: KeptJoinNames, contested: Set<String>) -> SQLJoinTable {
    let ends = kept.ends
    func order(of name: NumberedName, end: SQLJoinEnd, isFirst: Bool) -> String? {
      guard end.relationship.isOrdered, !(isFirst && ends.isOwnInverse) else { return nil }
      return orderColumns(of: name.text, end: end)[kept.orderIndex(ofFirst: isFirst, names: names)]
    }
    return SQLJoinTable(
      name: kept.table.text,
      owner: ends.first.table,
      first: SQLJoinColumn(name: kept.first.text, order: order(of: kept.first, end: ends.second, isFirst: true)),
      second: SQLJoinColumn(name: kept.second.text, order: order(of: kept.second, end: ends.first, isFirst: false)),
      names: names,
      isGuessed: isGuessed(ends, contested: contested),
      former: kept.hasSameRelationships ? kept.former.table.name : nil
    )
  }

  // MARK: - In an existing database

  /// An existing store may have other names than a new one gets, and numbers at the end distinguish equal names.
  ///
  /// Names without a number come first, because a name with a number may belong to another relationship.
  func existingJoins(_ all: [SQLJoinEnds], in catalog: SQLCatalog) throws -> [Join] {
    var taken = givenTables
    var joins = all.map { existingJoin($0, in: catalog, isNumbered: false, taken: &taken) }
    for index in all.indices where joins[index] == nil {
      joins[index] = existingJoin(all[index], in: catalog, isNumbered: true, taken: &taken)
    }
    return try zip(all, joins).map { ends, found in
      guard let found else {
        throw missing("the table \(joinNames(ends).tables[0]) of \(ends.first.relationship.modelPath)")
      }
      return (ends: found.ends, table: try existingTable(found))
    }
  }

  /// An existing join table, with its columns.
  private struct ExistingJoin {
    let ends: SQLJoinEnds
    let table: SQLCatalogTable
    let first: String
    let second: String
  }

  private func existingJoin(
    _ ends: SQLJoinEnds,
    in catalog: SQLCatalog,
    isNumbered: Bool,
    taken: inout Set<String>
  ) -> ExistingJoin? {
    let wanted = joinNames(ends)
    for base in wanted.tables + wanted.formerTables {
      let tables = isNumbered ? catalog.tables(numbered: base) : [catalog.table(base)].compactMap(\.self)
      for table in tables where !taken.contains(table.name.uppercased()) {
        guard let (first, second) = columns(wanted, in: table, isNumbered: isNumbered) else { continue }
        taken.insert(table.name.uppercased())
        // Inside one entity either side may be the first. The order of the columns shows which, and the key and
        // the index have the same order.
        let isReversed =
          !ends.isOwnInverse
          && table.columns.firstIndex(of: second) ?? 0 < table.columns.firstIndex(of: first) ?? 0
        return ExistingJoin(
          ends: isReversed ? ends.reversed : ends,
          table: table,
          first: isReversed ? second : first,
          second: isReversed ? first : second
        )
      }
    }
    return nil
  }

  /// The columns of a table that have the names with the lowest numbers.
  private func columns(
    _ wanted: SQLJoinNames,
    in table: SQLCatalogTable,
    isNumbered: Bool
  ) -> (first: String, second: String)? {
    func found(_ bases: [String]) -> [(name: String, number: Int)] {
      bases.flatMap { base in
        isNumbered
          ? table.columns(numbered: base)
          : [table.column(base)].compactMap(\.self).map { (name: $0, number: 0) }
      }
    }
    let (firsts, seconds) = (found(wanted.first), found(wanted.second))
    let pairs = firsts.flatMap { first in
      seconds.filter { $0.name != first.name }.map { (first: first, second: $0) }
    }
    let lowest = pairs.min { $0.first.number + $0.second.number < $1.first.number + $1.second.number }
    return lowest.map { ($0.first.name, $0.second.name) }
  }

  private func existingTable(_ found: ExistingJoin) throws -> SQLJoinTable {
    SQLJoinTable(
      name: found.table.name,
      owner: found.ends.first.table,
      first: try existingColumn(
        found.first,
        ordered: found.ends.second,
        isReflexive: found.ends.isOwnInverse,
        in: found.table
      ),
      second: try existingColumn(
        found.second,
        ordered: found.ends.first,
        isReflexive: false,
        in: found.table
      ),
      names: names
    )
  }

  private func existingColumn(
    _ name: String,
    ordered end: SQLJoinEnd,
    isReflexive: Bool,
    in table: SQLCatalogTable
  ) throws -> SQLJoinColumn {
    guard end.relationship.isOrdered, !isReflexive else { return SQLJoinColumn(name: name, order: nil) }
    let wanted = orderColumns(of: name, end: end)
    guard let order = wanted.lazy.compactMap({ table.column($0) }).first else {
      throw missing("the column \(wanted[0]) of \(end.relationship.modelPath) in the table \(table.name)")
    }
    return SQLJoinColumn(name: name, order: order)
  }
}

/// The reserved names of join tables and their columns. If two columns hold keys of the same entity under the
/// same name, Apple's framework numbers the second, although they are in different tables.
private struct ReservedJoinNames {
  private var tables: Set<String> = []
  private var columns: Set<String> = []
  /// The names of other tables and of their keys' indexes, in upper case.
  private let others: Set<String>
  private let names: any SQLNames

  init(tables: Set<String>, names: any SQLNames) {
    others = tables
    self.names = names
  }

  /// Finds a free name whose index names are free as well.
  ///
  /// - Parameter second: the second column, which the table's own index is named after.
  mutating func reserveTable(_ name: NumberedName, second: String) -> NumberedName {
    var name = name
    while !allTaken(with: name.text, second: second).allSatisfy({
      !others.contains($0.uppercased()) && !tables.contains($0)
    }) {
      name.number += 1
    }
    tables.formUnion(allTaken(with: name.text, second: second))
    return name
  }

  /// The names that a table reserves: its own, and those of its indexes if they share a numbered namespace with tables.
  private func allTaken(with table: String, second: String) -> [String] {
    guard let keyIndex = names.keyIndex(ofTable: table) else { return [table] }
    return [table, keyIndex, names.index(table: table, column: second)]
  }

  mutating func reserveColumn(_ name: NumberedName) -> NumberedName {
    var name = name
    while !columns.insert(name.text).inserted { name.number += 1 }
    return name
  }

  /// Reserves the names. Columns of different tables may have had the same name.
  mutating func keep(_ names: KeptJoinNames) {
    tables.insert(names.table.text)
    columns.formUnion([names.first.text, names.second.text])
  }
}
