/// The columns that a query asks for to make rows of some entities, and the place where each slot finds its value.
@usableFromInline
package final class SQLRowPlan {
  /// The number of columns before the others: the key, the version and the entity.
  static let systemColumns = 3

  /// The place of a slot's value in the row, and the kind of its content.
  @usableFromInline
  package struct Field {
    @usableFromInline
    package enum Content {
      case integer, boolean, real, text, data, externalData, uuid, decimal, uri, transformable, reference
      case composite
    }

    @usableFromInline let slot: Int
    /// The place of the slot in a row.
    @usableFromInline let offset: Int
    @usableFromInline let content: Content
    /// The number of the column in the query.
    @usableFromInline let column: Int32
    /// The column that tells the entity of a to-one relationship's destination; negative for none.
    @usableFromInline let entityColumn: Int32
    /// The number in the model of the destination when no column tells it.
    @usableFromInline let destination: Int32
  }

  /// The places of the elements of a composite attribute.
  struct Composite {
    let slot: Int
    let elements: [(element: CompositeElement, field: Field)]
  }

  /// The rows of one entity.
  @usableFromInline
  package final class Shape {
    package let entity: SQLEntity
    // The model owns it, and the store the model.
    @usableFromInline unowned(unsafe) let layout: EntityLayout
    // Allocated and freed here: an array would be retained for each row.
    @usableFromInline let fields: UnsafeBufferPointer<Field>
    let composites: [Composite]
    // Checked for each row, so that no array has to be traversed.
    @usableFromInline let hasComposites: Bool
    @usableFromInline let hasTransientDefaults: Bool

    init(entity: SQLEntity, fields: [Field], composites: [Composite]) {
      self.entity = entity
      layout = entity.layout
      let memory = UnsafeMutableBufferPointer<Field>.allocate(capacity: fields.count)
      _ = memory.initialize(from: fields)
      self.fields = UnsafeBufferPointer(memory)
      self.composites = composites
      hasComposites = !composites.isEmpty
      hasTransientDefaults = !layout.transientSlotsWithDefaults.isEmpty
    }

    deinit { fields.deallocate() }

    /// The attribute of a slot; `nil` for a relationship.
    @usableFromInline
    func attribute(_ slot: Int) -> NSAttributeDescription? { layout.slots[slot].attribute }
  }

  /// The names of the columns, in order.
  let columns: [String]
  /// The columns as a query asks for them whose first table has the rows.
  let selection: String
  /// The shapes of the rows of each entity; one of them when the table has no subentities.
  @usableFromInline package let shapes: [Shape]

  /// - Parameters:
  ///   - table: the table of the entities.
  ///   - entities: all entities whose rows the query can find, abstract ones excepted.
  ///   - properties: the names of the properties that rows contain; `nil` for all.
  init(
    _ table: SQLTable,
    entities: [SQLEntity],
    properties: Set<String>? = nil,
    dialect: any SQLDialect
  ) {
    var columns = [table.primaryKey, table.versionColumn, table.entityColumn]
    var indexes: [String: Int32] = [:]
    func index(_ column: String) -> Int32 {
      if let index = indexes[column] { return index }
      let index = Int32(columns.count)
      columns.append(column)
      indexes[column] = index
      return index
    }
    shapes = entities.map { entity in
      let numbers = entity.slots.indices.filter { number in
        properties?.contains(entity.layout.slots[number].property.name) ?? true
      }
      let fields = numbers.compactMap { number -> Field? in
        guard let slot = entity.slots[number], slot.elements.isEmpty else { return nil }
        return Field(
          slot: number,
          offset: entity.layout.offset(number),
          content: Self.content(entity.layout.slots[number]),
          column: index(slot.column),
          entityColumn: slot.entityColumn.map(index) ?? -1,
          destination: slot.destination
        )
      }
      let composites = numbers.compactMap { number -> Composite? in
        guard let slot = entity.slots[number], !slot.elements.isEmpty else { return nil }
        let elements = slot.elements.map { column in
          let field = Field(
            slot: number,
            offset: entity.layout.offset(number),
            content: Self.content(column.element.attribute),
            column: index(column.column),
            entityColumn: -1,
            destination: 0
          )
          return (element: column.element, field: field)
        }
        return Composite(slot: number, elements: elements)
      }
      return Shape(entity: entity, fields: fields, composites: composites)
    }
    self.columns = columns
    selection = columns.map { "\(SQLAliases.first).\(dialect.identifier($0))" }.joined(separator: ", ")
  }

  /// The shape of the rows of an entity, by its number in the store.
  @usableFromInline
  func shapeIndex(_ number: Int64) -> Int? { shapes.firstIndex { $0.entity.number == number } }

  package static func content(_ slot: EntityLayout.Slot) -> Field.Content { slot.attribute.map(content) ?? .reference }

  package static func content(_ attribute: NSAttributeDescription) -> Field.Content {
    switch attribute.attributeType {
    case .booleanAttributeType: .boolean
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: .integer
    case .doubleAttributeType, .floatAttributeType, .dateAttributeType: .real
    case .decimalAttributeType: .decimal
    case .stringAttributeType: .text
    case .binaryDataAttributeType: attribute.allowsExternalBinaryDataStorage ? .externalData : .data
    case .UUIDAttributeType: .uuid
    case .URIAttributeType: .uri
    case .compositeAttributeType: .composite
    case .transformableAttributeType, .undefinedAttributeType, .objectIDAttributeType: .transformable
    }
  }
}
