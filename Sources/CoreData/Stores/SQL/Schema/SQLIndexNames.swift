/// The names of a schema's indexes: a database has each once, whatever its table and the case of
/// its letters.
struct SQLIndexNames {
  private var reserved: [String: SQLIndex] = [:]
  private let tables: Set<String>

  init(tables: [SQLTable]) { self.tables = Set(tables.map { $0.name.uppercased() }) }

  /// The index as it is to be made, with a number behind its name where another one has the name;
  /// `nil` for one that is there already. Only models of unusual names come to that: the entity `A`
  /// with an index `B_c`, and `A_B` with `c`.
  mutating func reserve(_ index: SQLIndex) -> SQLIndex? {
    if let other = reserved[index.name.uppercased()], other.isEqual(index) { return nil }
    var suffix = 0
    while true {
      let name = suffix == 0 ? index.name : "\(index.name)\(suffix)"
      if reserved[name.uppercased()] == nil, !tables.contains(name.uppercased()) {
        reserved[name.uppercased()] = index
        return index.named(name)
      }
      suffix += 1
    }
  }
}

extension SQLIndex {
  fileprivate func named(_ name: String) -> SQLIndex {
    SQLIndex(
      name: name,
      table: table,
      elements: elements,
      isUnique: isUnique,
      hasCollation: hasCollation
    )
  }

  /// True when another index is of the same columns in the same order. The names do not count.
  fileprivate func isEqual(_ other: SQLIndex) -> Bool {
    table == other.table && isUnique == other.isUnique
      && elements.elementsEqual(other.elements) {
        $0.column == $1.column && $0.isAscending == $1.isAscending
      }
  }
}
