extension SQLSchemaBuilder {
  /// Names the columns of a table, and puts them in Apple's order.
  ///
  /// Columns are grouped by how they are stored. In a group the entities follow each other depth
  /// first, and in an entity its attributes come before its foreign keys, each sorted by name.
  mutating func addColumns(to table: SQLTable) throws {
    var reserved = ColumnNames(
      table: catalog?.table(table.name),
      reserved: [table.primaryKey, table.entityColumn, table.versionColumn] + names.systemColumns
    )
    var columns: [SQLColumn] = []
    for entity in descriptionsByRoot[ObjectIdentifier(table.root)] ?? [] {
      for attribute in sortedByName(entity.ownProperties.compactMap { $0 as? NSAttributeDescription })
      where !attribute.isTransient {
        columns += try addColumns(of: attribute, to: &reserved)
      }
      for relationship in sortedByName(entity.ownProperties.compactMap { $0 as? NSRelationshipDescription })
      where !relationship.isToMany && !relationship.isTransient {
        columns += try addColumns(ofToOne: relationship, to: &reserved)
      }
      for relationship in withoutInverse[ObjectIdentifier(entity)] ?? [] {
        columns += try addColumns(ofToMany: relationship, table: table, to: &reserved)
      }
    }
    table.columns = SQLStorage.allCases.flatMap { storage in columns.filter { $0.storage == storage } }
  }

  private mutating func addColumns(
    of attribute: NSAttributeDescription,
    to reserved: inout ColumnNames
  ) throws -> [SQLColumn] {
    if let composite = attribute as? NSCompositeAttributeDescription {
      return try addColumns(ofComposite: composite, to: &reserved)
    }
    let column = try addColumn(
      of: attribute,
      in: attribute,
      called: [names.column(attribute.name)],
      reserved: &reserved
    )
    slots[ObjectIdentifier(attribute)] = SQLSlot(column: column.name, storage: column.storage)
    return [column]
  }

  /// One column for each element, named after the element, or after the composite and the element if
  /// that name is taken.
  private mutating func addColumns(
    ofComposite composite: NSCompositeAttributeDescription,
    to reserved: inout ColumnNames
  ) throws -> [SQLColumn] {
    var elements: [SQLCompositeElement] = []
    var columns: [SQLColumn] = []
    for element in composite.leaves {
      let long = ([composite.name] + element.path).joined(separator: "_")
      let expected = [element.attribute.name, long].map(names.column)
      let column = try addColumn(of: element.attribute, in: composite, called: expected, reserved: &reserved)
      columns.append(column)
      elements.append(SQLCompositeElement(element: element, column: column.name))
    }
    guard let first = columns.first else {
      throw StoreFailure.incompatibleSchema(
        "\(composite.modelPath) is a composite attribute without elements; give it some, or make it transient."
      )
    }
    slots[ObjectIdentifier(composite)] = SQLSlot(column: first.name, storage: first.storage, elements: elements)
    return columns
  }

  private func addColumn(
    of attribute: NSAttributeDescription,
    in property: NSAttributeDescription,
    called expected: [String],
    reserved: inout ColumnNames
  ) throws -> SQLColumn {
    guard let storage = SQLStorage(attribute.attributeType) else {
      throw StoreFailure.incompatibleSchema(
        """
        \(property.modelPath) has a type that a column of a SQL store cannot hold \
        (\(attribute.attributeType)); make the attribute transient or give it another type.
        """
      )
    }
    guard let name = reserved.reserve(expected) ?? formerName(of: attribute, reserved: &reserved) else {
      throw missingColumn(expected[0], property: property, reserved: reserved)
    }
    return SQLColumn(name: name, storage: storage, attributeType: attribute.attributeType)
  }

  /// The column of a property before it was renamed.
  private func formerName(of property: NSPropertyDescription, reserved: inout ColumnNames) -> String? {
    reserved.reserve([names.column(property.renamingIdentifier ?? "")])
  }

  private mutating func addColumns(
    ofToOne relationship: NSRelationshipDescription,
    to reserved: inout ColumnNames
  ) throws -> [SQLColumn] {
    let destination = try destination(of: relationship)
    let expected = names.column(relationship.name)
    guard let name = reserved.reserve([expected]) ?? formerName(of: relationship, reserved: &reserved) else {
      throw missingColumn(expected, property: relationship, reserved: reserved)
    }
    var slot = SQLSlot(column: name, storage: .integer, destination: Int32(destination.number))
    var columns = [SQLColumn(name: name, storage: .integer, attributeType: nil)]
    if !destination.subentities.isEmpty {
      let expected = names.entityColumn(of: name, destination: number(destination))
      if let entityColumn = reserved.reserve([expected]) {
        slot.entityColumn = entityColumn
        columns.append(SQLColumn(name: entityColumn, storage: .integer, attributeType: nil))
      }
    }
    slots[ObjectIdentifier(relationship)] = slot
    if let inverse = relationship.inverseRelationship, inverse.isToMany, inverse.isOrdered {
      columns.append(try addOrderColumn(of: name, for: inverse, to: &reserved))
    }
    return columns
  }

  private mutating func addColumns(
    ofToMany relationship: NSRelationshipDescription,
    table: SQLTable,
    to reserved: inout ColumnNames
  ) throws -> [SQLColumn] {
    let expected = names.foreignKey(of: relationshipName(relationship))
    guard let name = reserved.reserve([expected]) else {
      throw missingColumn(expected, property: relationship, reserved: reserved)
    }
    var columns = [SQLColumn(name: name, storage: .integer, attributeType: nil)]
    if relationship.isOrdered { columns.append(try addOrderColumn(of: name, for: relationship, to: &reserved)) }
    toMany[ObjectIdentifier(relationship)] = .foreignKey(
      SQLForeignKey(
        table: table,
        column: name,
        orderColumn: relationship.isOrdered ? columns.last?.name : nil,
        isOwned: true,
        destination: Int32(try destination(of: relationship).number)
      )
    )
    return columns
  }

  private func addOrderColumn(
    of foreignKey: String,
    for relationship: NSRelationshipDescription,
    to reserved: inout ColumnNames
  ) throws -> SQLColumn {
    let expected = names.orderColumn(of: foreignKey)
    guard let name = reserved.reserve([expected]) else {
      throw missingColumn(expected, property: relationship, reserved: reserved)
    }
    return SQLColumn(name: name, storage: .order, attributeType: nil)
  }

  /// The to-many relationships without inverse by their destination entity, whose table has their foreign keys.
  func relationshipsWithoutInverse() -> [ObjectIdentifier: [NSRelationshipDescription]] {
    let relationships = descriptions.flatMap { source in
      sortedByName(
        source.ownProperties.compactMap { $0 as? NSRelationshipDescription }.filter {
          $0.isToMany && !$0.isTransient && $0.inverseRelationship == nil && $0.destinationEntity != nil
        }
      )
    }
    return Dictionary(grouping: relationships) { relationship in
      relationship.destinationEntity.map(ObjectIdentifier.init) ?? ObjectIdentifier(relationship)
    }
  }

  func sortedByName<Property: NSPropertyDescription>(_ properties: [Property]) -> [Property] {
    properties.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  func destination(of relationship: NSRelationshipDescription) throws -> NSEntityDescription {
    guard let destination = relationship.destinationEntity, numbers[ObjectIdentifier(destination)] != nil
    else {
      throw StoreFailure.incompatibleSchema(
        """
        \(relationship.modelPath) leads to \(relationship.destinationEntity?.name ?? "no entity"), which the \
        store's configuration does not have; add it to the configuration, or use a fetched property.
        """
      )
    }
    return destination
  }

  private func missingColumn(_ name: String, property: NSPropertyDescription, reserved: ColumnNames) -> any Error {
    missing("the column \(name) of \(property.modelPath) in the table \(reserved.table?.name ?? "")")
  }
}

/// The names that are reserved in a table, and how a new or an existing column gets one.
struct ColumnNames {
  let table: SQLCatalogTable?
  private var reserved: Set<String>

  /// - Parameter reserved: the columns that every table has, including the database's own.
  init(table: SQLCatalogTable?, reserved: [String]) {
    self.table = table
    self.reserved = Set(reserved.map { $0.uppercased() })
  }

  /// Reserves the first of the names that the table has, with a number after it where another property has the name.
  ///
  /// - Returns: the name as the table spells it; `nil` when an existing table has no such column.
  mutating func reserve(_ expected: [String]) -> String? {
    for base in expected {
      for suffix in 0..<1000 {
        let candidate = suffix == 0 ? base : "\(base)\(suffix)"
        let uppercase = candidate.uppercased()
        if reserved.contains(uppercase) { continue }
        guard let table else {
          reserved.insert(uppercase)
          return candidate
        }
        if let there = table.column(uppercase: uppercase) {
          reserved.insert(uppercase)
          return there
        }
        if suffix > 9 { break }
      }
    }
    return nil
  }
}
