import Predicates

/// Finds the indexes that Apple's framework makes for a model's tables, in its order.
struct SQLIndexBuilder {
  private let names: any SQLNames
  private let entities: [SQLEntity]
  private let entitiesByTable: [ObjectIdentifier: [SQLEntity]]
  private let tables: [SQLTable]
  private let reserved: Set<String>
  private let slots: [ObjectIdentifier: SQLSlot]

  /// - Parameters:
  ///   - reserved: the names in upper case that no index may have, in addition to those of tables.
  ///   - slots: the columns of properties.
  init(
    names: any SQLNames,
    entities: [SQLEntity],
    tables: [SQLTable],
    reserved: Set<String>,
    slots: [ObjectIdentifier: SQLSlot]
  ) {
    self.names = names
    self.entities = entities
    entitiesByTable = Dictionary(grouping: entities) { ObjectIdentifier($0.table) }
    self.tables = tables
    self.reserved = reserved
    self.slots = slots
  }

  func indexes() -> [SQLIndex] {
    var taken = SQLIndexNames(tables: tables, others: reserved)
    var indexes: [SQLIndex] = []
    for table in tables {
      indexes += foreignKeyIndexes(of: table)
      indexes += entityIndex(of: table)
      for entity in entities(in: table) {
        indexes += fetchIndexes(of: entity)
        indexes += compoundIndexes(of: entity)
      }
      for entity in entities(in: table) { indexes += uniqueIndexes(of: entity) }
    }
    return indexes.compactMap { taken.reserve($0) }
  }

  func constraints() -> [SQLConstraint] {
    entities.flatMap { entity in
      entity.entity.uniquenessConstraints.compactMap { constraint(entity, group: $0) }
    }
  }

  private func entities(in table: SQLTable) -> [SQLEntity] { entitiesByTable[ObjectIdentifier(table)] ?? [] }

  /// The columns of a table that hold keys of other rows: all that have no attribute and tell no entity.
  private func foreignKeyIndexes(of table: SQLTable) -> [SQLIndex] {
    let entityColumns = Set(entities(in: table).flatMap { $0.slots.compactMap { $0?.entityColumn } })
    return table.columns.filter {
      $0.storage == .integer && $0.attributeType == nil && !entityColumns.contains($0.name)
    }.map {
      SQLIndex(
        name: names.index(table: table.name, column: $0.name),
        table: table.name,
        elements: [SQLIndex.Element(column: $0.name)],
        hasCollation: false
      )
    }
  }

  private func entityIndex(of table: SQLTable) -> [SQLIndex] {
    guard table.hasSubentities else { return [] }
    return [
      SQLIndex(
        name: names.index(table: table.name, column: table.entityColumn),
        table: table.name,
        elements: [SQLIndex.Element(column: table.entityColumn)],
        hasCollation: false
      )
    ]
  }

  private func fetchIndexes(of entity: SQLEntity) -> [SQLIndex] {
    let name = entity.entity.name ?? ""
    let named = entity.entity.indexes.compactMap { index -> SQLIndex? in
      // Apple-made stores have no index for an element that is a relationship or an expression.
      let elements = index.elements.compactMap { element -> SQLIndex.Element? in
        guard element.collationType == .binary, let column = element.property.flatMap(attributeColumn)
        else { return nil }
        return SQLIndex.Element(column: column, isAscending: element.isAscending)
      }
      guard !elements.isEmpty, elements.count == index.elements.count else { return nil }
      return SQLIndex(
        name: names.fetchIndex(entity: name, name: index.name),
        table: entity.table.name,
        elements: elements
      )
    }
    // The models that Apple's framework keeps in stores say twice that a property is indexed: by
    // the property's mark, and by an index with the property's name.
    let reserved = Set(named.map { $0.name.uppercased() })
    let marked = entity.entity.ownProperties.filter(\.isIndexed).compactMap { property -> SQLIndex? in
      let indexName = names.fetchIndex(entity: name, name: property.name)
      guard !reserved.contains(indexName.uppercased()), let column = attributeColumn(property) else { return nil }
      return SQLIndex(name: indexName, table: entity.table.name, elements: [SQLIndex.Element(column: column)])
    }
    return marked + named + foldedIndexes(of: entity)
  }

  private func foldedIndexes(of entity: SQLEntity) -> [SQLIndex] {
    entity.entity.ownProperties.compactMap { property in
      guard let attribute = property as? NSAttributeDescription,
        let folding = SQLFoldedIndex.options(of: attribute), let column = attributeColumn(attribute),
        let name = names.foldedIndex(
          entity: entity.entity.name ?? "",
          property: attribute.name,
          letters: folding.letters
        )
      else { return nil }
      return SQLIndex(
        name: name,
        table: entity.table.name,
        elements: [SQLIndex.Element(column: column, folding: folding)]
      )
    }
  }

  private func compoundIndexes(of entity: SQLEntity) -> [SQLIndex] {
    entity.entity.compoundIndexes.compactMap { group in
      let columns = columns(of: (group as? [Any]) ?? [], in: entity)
      guard let columns, !columns.isEmpty else { return nil }
      return SQLIndex(
        name: names.compoundIndex(table: entity.table.name, columns: columns),
        table: entity.table.name,
        elements: columns.map { SQLIndex.Element(column: $0) },
        hasCollation: false
      )
    }
  }

  private func uniqueIndexes(of entity: SQLEntity) -> [SQLIndex] {
    entity.entity.uniquenessConstraints.compactMap { constraint(entity, group: $0) }.map { constraint in
      SQLIndex(
        name: names.uniqueIndex(entity: entity.entity.name ?? "", properties: constraint.properties),
        table: constraint.table,
        elements: constraint.columns.map { SQLIndex.Element(column: $0) },
        isUnique: true
      )
    }
  }

  private func constraint(_ entity: SQLEntity, group: [Any]) -> SQLConstraint? {
    guard let columns = columns(of: group, in: entity), !columns.isEmpty else { return nil }
    let properties = group.compactMap { NSEntityDescription.propertyName($0) as? String }
    return SQLConstraint(
      entity: entity.entity,
      table: entity.table.name,
      properties: properties,
      columns: columns
    )
  }

  private func columns(of group: [Any], in entity: SQLEntity) -> [String]? {
    let columns = group.compactMap { element -> String? in
      guard let name = NSEntityDescription.propertyName(element) as? String,
        let property = entity.entity.propertiesByName[name]
      else { return nil }
      return slots[ObjectIdentifier(property)]?.column
    }
    return columns.count == group.count ? columns : nil
  }

  private func attributeColumn(_ property: NSPropertyDescription) -> String? {
    property is NSAttributeDescription && !(property is NSCompositeAttributeDescription)
      ? slots[ObjectIdentifier(property)]?.column : nil
  }
}

/// The names of a schema's indexes. In a database they are unique across tables, ignoring case.
struct SQLIndexNames {
  private var reserved: [String: SQLIndex] = [:]
  private let tables: Set<String>

  init(tables: [SQLTable], others: Set<String> = []) {
    self.tables = others.union(tables.map { $0.name.uppercased() })
  }

  /// The index to be created, with a number after its name where another index has the name; `nil` for an index that
  /// exists already. Only unusual names need this: the entity `A` with an index `B_c`, and `A_B` with `c`.
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
        $0.column == $1.column && $0.isAscending == $1.isAscending && $0.folding == $1.folding
      }
  }
}
