/// The steps that keep a table and alter its columns to those of the new schema.
///
/// Columns of attributes are dropped, converted and renamed before anything else. Keys and orders are
/// read while relationships are moved: they keep their names, and go last.
struct SQLTableAlteration {
  /// A column whose type changes.
  struct Conversion {
    let former: String
    let column: SQLColumn
    let value: String
  }

  let formerName: String
  /// The columns of attributes that nothing becomes of.
  private(set) var dropped: [String] = []
  private(set) var converted: [Conversion] = []
  private(set) var renamed: [(former: String, new: String)] = []
  private(set) var added: [SQLColumn] = []
  /// The keys and orders that nothing becomes of.
  private(set) var droppedLast: [String] = []

  /// - Parameters:
  ///   - formerTables: the names of all older tables, in upper case.
  ///   - aside: a prefix that no other name has.
  /// - Returns: `nil` when the rows have to be copied into a new table, or when there is no table yet.
  init?(
    of table: SQLTable,
    moves: [SQLRowMove],
    database: SQLMigrationSource,
    catalog: SQLCatalog,
    rowColumns: [String],
    formerTables: Set<String>,
    aside: String
  ) {
    guard let former = moves.first?.source.table, moves.allSatisfy({ $0.source.table === former }),
      let there = catalog.table(former.name), !database.constrainedTables.contains(former.name.uppercased()),
      table.name == there.name || !formerTables.contains(table.name.uppercased())
    else { return nil }
    formerName = there.name
    let attributes = Set(former.columns.filter { $0.attributeType != nil }.map(\.name))
    var claimed: Set<String> = []
    for column in table.columns {
      guard let origin = Self.origin(of: column, moves: moves) else { return nil }
      switch origin {
      case .nothing: added.append(column)
      case .others:
        if Self.isEntityColumn(column, kept: there, moves: moves) {
          claimed.insert(column.name)
        } else {
          added.append(column)
        }
      case .column(let former):
        let isAttribute = column.attributeType != nil
        guard claimed.insert(former).inserted, isAttribute || former == column.name,
          isAttribute == attributes.contains(former)
        else { return nil }
        if former != column.name { renamed.append((former, column.name)) }
      case .expression(let value, let former):
        guard claimed.insert(former).inserted, attributes.contains(former) else { return nil }
        converted.append(Conversion(former: former, column: column, value: value))
        if former != column.name { renamed.append((former, column.name)) }
      }
    }
    let unused = former.columns.map(\.name).filter { !claimed.contains($0) && !rowColumns.contains($0) }
    dropped = unused.filter(attributes.contains)
    droppedLast = unused.filter { !attributes.contains($0) }
    // Columns that another program has added stay.
    let others = there.columns.filter { name in
      !rowColumns.contains(name) && !former.columns.contains { $0.name == name }
    }
    let remaining = Set(droppedLast + others)
    let names = added.map(\.name) + renamed.map(\.new)
    if names.contains(where: remaining.contains) { return nil }
    let targets = Set(renamed.map(\.new))
    if renamed.contains(where: { targets.contains($0.former) }) {
      // Names that are exchanged are out of the way of each other first.
      let away = renamed.enumerated().map { (former: $1.former, new: "\(aside)\($0)") }
      renamed = away + zip(away, renamed).map { (former: $0.new, new: $1.new) }
    }
  }

  /// The origin of the values of a column, where that is the same for all rows.
  private static func origin(of column: SQLColumn, moves: [SQLRowMove]) -> SQLColumnOrigin.Source? {
    let sources = moves.compactMap { $0.origins[column.name]?.source }
    guard let first = sources.first else { return .nothing }
    let isSame = sources.allSatisfy { source in
      switch (first, source) {
      case (.nothing, .nothing), (.others, .others): true
      case (.column(let one), .column(let other)): one == other
      case (.expression(let one, let of), .expression(let other, let column)): one == other && of == column
      default: false
      }
    }
    return isSame ? first : nil
  }

  /// True for a column with the entities of keys whose column stays.
  private static func isEntityColumn(_ column: SQLColumn, kept there: SQLCatalogTable, moves: [SQLRowMove]) -> Bool {
    guard there.columns.contains(column.name) else { return false }
    return moves.contains { move in
      guard
        let slot = move.entity.slots.lazy.compactMap({ $0 }).first(where: { $0.entityColumn == column.name }),
        case .column(let former)? = move.origins[slot.column]?.source, former == slot.column
      else { return false }
      return move.source.slots.contains { $0?.column == former && $0?.entityColumn == column.name }
    }
  }
}

extension SQLMigrationPlanner {
  /// Alters the columns that no later step reads.
  mutating func begin(_ alteration: SQLTableAlteration, of table: SQLTable) {
    let former = name(alteration.formerName)
    for column in alteration.dropped { plan.run("ALTER TABLE \(former) DROP COLUMN \(name(column))") }
    for conversion in alteration.converted {
      let type = dialect.columnType(conversion.column.storage, of: conversion.column.attributeType)
      plan.run("ALTER TABLE \(former) ALTER COLUMN \(name(conversion.former)) TYPE \(type) USING \(conversion.value)")
    }
    for column in alteration.renamed {
      plan.run("ALTER TABLE \(former) RENAME COLUMN \(name(column.former)) TO \(name(column.new))")
    }
    if alteration.formerName != table.name { plan.run("ALTER TABLE \(former) RENAME TO \(name(table.name))") }
    add(alteration.added, to: table)
  }

  /// Drops the keys that relationships have been moved by.
  mutating func finish(_ alteration: SQLTableAlteration, of table: SQLTable) {
    for column in alteration.droppedLast { plan.run("ALTER TABLE \(name(table.name)) DROP COLUMN \(name(column))") }
  }
}
