/// The columns of a table that no slot of its rows has: keys of to-many relationships without an inverse, and places in
/// ordered relationships. They are in an order that all stores of one model share.
package struct SQLForeignColumns {
  package let columns: [String]

  package init(_ table: SQLTable, in schema: SQLSchema) {
    var columns: [String] = []
    for entity in schema.entities.sorted(by: { $0.layout.number < $1.layout.number }) {
      for (index, toMany) in entity.layout.toMany.enumerated()
      where toMany.relationship.entity === entity.entity {
        guard case .foreignKey(let key) = entity.toMany[index], key.table === table else { continue }
        if key.isOwned { columns.append(key.column) }
        if let order = key.orderColumn { columns.append(order) }
      }
    }
    self.columns = columns
  }
}

extension SQLSchema {
  /// The many-to-many relationships, one side of each.
  var streamedRelationships: [(relationship: StreamedRelationship, join: SQLJoin)] {
    var found: [(StreamedRelationship, SQLJoin)] = []
    var tables: Set<ObjectIdentifier> = []
    for entity in entities.sorted(by: { $0.layout.number < $1.layout.number }) {
      for (index, toMany) in entity.layout.toMany.enumerated()
      where toMany.relationship.entity === entity.entity {
        guard case .join(let join) = entity.toMany[index],
          tables.insert(ObjectIdentifier(join.table)).inserted
        else { continue }
        found.append((StreamedRelationship(entity: entity.layout.number, relationship: index), join))
      }
    }
    return found
  }

  /// The join table of a many-to-many relationship; `nil` if this store has none for it.
  func join(_ relationship: StreamedRelationship) -> SQLJoin? {
    guard let entity = entity(modelNumber: relationship.entity),
      entity.toMany.indices.contains(relationship.relationship),
      case .join(let join) = entity.toMany[relationship.relationship]
    else { return nil }
    return join
  }
}

extension SQLJoin {
  /// The columns of a pair: the source, the target, and the places of the target and the source if
  /// their orders are stored.
  package var streamedColumns: [String?] {
    let (own, other) = target == table.first.name ? (table.first, table.second) : (table.second, table.first)
    return [source, target, own.order, isOwnInverse ? nil : other.order]
  }
}
