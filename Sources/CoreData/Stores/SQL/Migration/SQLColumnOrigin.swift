/// The origin of the values of a column, for the rows of one entity.
struct SQLColumnOrigin {
  enum Source {
    /// A column of the older table, as it is.
    case column(String)
    /// An expression of one of the older table's columns.
    case expression(String, of: String)
    /// No origin: the rows get the fallback, if there is one.
    case nothing
    /// Other rows: the column is filled after all rows have been written.
    case others
  }

  let source: Source
  /// The value that rows get that have none.
  var fallback: SQLValue?
  /// True when a value is required, but some rows may lack one.
  var isRequired = false

  /// True when the older table has the values already, in the column of the same name.
  func isUnchanged(in column: String) -> Bool {
    guard case .column(let former) = source else { return false }
    return former.uppercased() == column.uppercased()
  }
}

/// The rows of one entity that become those of another.
struct SQLRowMove {
  let entity: SQLEntity
  let source: SQLEntity
  /// The origins by the new column's name. Columns without an origin stay empty.
  let origins: [String: SQLColumnOrigin]
}

/// Determines the origins of columns' values.
struct SQLColumnOrigins {
  let map: SQLMigrationMap
  let dialect: any SQLMigrationDialect

  func move(to entity: SQLEntity, from source: SQLEntity) throws -> SQLRowMove {
    var origins: [String: SQLColumnOrigin] = [:]
    for (index, slot) in entity.slots.enumerated() {
      guard let slot else { continue }
      if slot.elements.isEmpty {
        origins[slot.column] = try origin(of: index, entity: entity)
      } else {
        origins.merge(try elementOrigins(of: index, slot: slot, entity: entity)) { $1 }
      }
      if let column = slot.entityColumn { origins[column] = SQLColumnOrigin(source: .others) }
    }
    for (relationship, key) in SQLForeignKeys(map.new).leading(to: entity) {
      let former = formerKey(relationship, in: source)
      if key.isOwned { origins[key.column] = origin(former?.column) }
      if let order = key.orderColumn { origins[order] = origin(former?.orderColumn) }
    }
    return SQLRowMove(entity: entity, source: source, origins: origins)
  }

  private func origin(_ column: String?) -> SQLColumnOrigin {
    SQLColumnOrigin(source: column.map { .column($0) } ?? .others)
  }

  /// The slot that a slot has been before.
  private func formerSlot(
    of property: EntityLayout.Slot,
    entity: SQLEntity
  ) -> (slot: SQLSlot, property: EntityLayout.Slot)? {
    guard let former = map.formerPlace(of: property.name, in: entity), case .slot(let place) = former.place,
      let slot = former.entity.slots[place]
    else { return nil }
    return (slot, former.entity.layout.slots[place])
  }

  private func origin(of index: Int, entity: SQLEntity) throws -> SQLColumnOrigin {
    let property = entity.layout.slots[index]
    let formerSlot = formerSlot(of: property, entity: entity)
    let isRequired = !property.property.isOptional && formerSlot?.property.property.isOptional ?? true
    guard let attribute = property.attribute else {
      let source = formerSlot.map { SQLColumnOrigin.Source.column($0.slot.column) } ?? .others
      return SQLColumnOrigin(source: source, isRequired: isRequired)
    }
    let fallback = try dialect.defaultValue(of: attribute)
    guard let formerSlot, let before = formerSlot.property.attribute else {
      return SQLColumnOrigin(
        source: .nothing,
        fallback: fallback,
        isRequired: isRequired && fallback == nil && !(attribute is NSDerivedAttributeDescription)
      )
    }
    return SQLColumnOrigin(
      source: source(formerSlot.slot.column, from: before, to: attribute),
      fallback: isRequired ? fallback : nil,
      isRequired: isRequired && fallback == nil && !(attribute is NSDerivedAttributeDescription)
    )
  }

  /// The origins of the elements of a composite attribute, by column. Whether a value is required is said of the first.
  private func elementOrigins(of index: Int, slot: SQLSlot, entity: SQLEntity) throws -> [String: SQLColumnOrigin] {
    let property = entity.layout.slots[index]
    let former = formerSlot(of: property, entity: entity)
    var formerElements: [[String]: (element: CompositeElement, column: String)] = [:]
    if let former, let composite = property.attribute as? NSCompositeAttributeDescription,
      let before = former.property.attribute as? NSCompositeAttributeDescription
    {
      let columns = Dictionary(former.slot.elements.map { ($0.element.path, $0.column) }) { first, _ in first
      }
      for (element, place) in CompositeCorrespondence(from: before, to: composite).leaves {
        if let place, let column = columns[place.path] { formerElements[element.path] = (place, column) }
      }
    }
    let isRequired = !property.property.isOptional && former?.property.property.isOptional ?? true
    var origins: [String: SQLColumnOrigin] = [:]
    for column in slot.elements {
      let attribute = column.element.attribute
      let fallback = try dialect.defaultValue(of: attribute)
      if let (place, formerColumn) = formerElements[column.element.path] {
        origins[column.column] = SQLColumnOrigin(
          source: source(formerColumn, from: place.attribute, to: attribute),
          fallback: isRequired ? fallback : nil
        )
      } else {
        origins[column.column] = SQLColumnOrigin(source: .nothing, fallback: fallback)
      }
    }
    if isRequired, origins.values.allSatisfy({ $0.fallback == nil }) {
      origins[slot.column]?.isRequired = true
    }
    return origins
  }

  /// Numbers are converted to the new type, and data get or lose the mark of values that may be stored in files.
  private func source(
    _ column: String,
    from before: NSAttributeDescription,
    to attribute: NSAttributeDescription
  ) -> SQLColumnOrigin.Source {
    let name = dialect.identifier(column)
    if before.allowsExternalBinaryDataStorage != attribute.allowsExternalBinaryDataStorage,
      dialect.externalDataMark != nil
    {
      let isMarked = attribute.allowsExternalBinaryDataStorage
      return .expression(isMarked ? dialect.markedData(name) : dialect.unmarkedData(name), of: column)
    }
    if dialect.keepsAlike(before.attributeType, other: attribute.attributeType) { return .column(column) }
    let type = attribute.attributeType
    let value = SQLStorage(type).map { dialect.converted(name, to: $0, of: type) } ?? name
    return .expression(value, of: column)
  }

  /// The key by which the older table holds a to-many relationship, if it is the table of these rows.
  private func formerKey(_ relationship: NSRelationshipDescription, in source: SQLEntity) -> SQLForeignKey? {
    let former = map.formerRelationships(of: relationship)
    guard former.count == 1, let entity = try? map.old.entity(former[0].entity),
      case .toMany(let index) = entity.layout.places[former[0].name],
      case .foreignKey(let key) = entity.toMany[index], key.table === source.table
    else { return nil }
    return key
  }
}

/// The to-many relationships of a schema that are kept in their destinations' tables.
struct SQLForeignKeys {
  let all: [(relationship: NSRelationshipDescription, key: SQLForeignKey)]

  init(_ schema: SQLSchema) {
    var seen: Set<ObjectIdentifier> = []
    all = schema.entities.flatMap { entity in
      entity.toMany.enumerated().compactMap { index, kept in
        let relationship = entity.layout.toMany[index].relationship
        guard case .foreignKey(let key) = kept, seen.insert(ObjectIdentifier(relationship)).inserted else {
          return nil
        }
        return (relationship, key)
      }
    }
  }

  /// Those that may lead to rows of an entity.
  func leading(to entity: SQLEntity) -> [(relationship: NSRelationshipDescription, key: SQLForeignKey)] {
    all.filter { relationship, key in
      key.table === entity.table
        && relationship.frozenDestination.map { entity.entity.isKindOf(entity: $0) } ?? false
    }
  }
}
